import { expect, onTestFinished } from 'vitest';
import { createXdsSource } from '../../../src/config/xds/xds-source.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { describeConfigSource } from '../../case/config-source.case.ts';
import { startAdsServer } from '../../support/ads-server.ts';
import { brokenResource, limitResource, localServer, promptly } from './xds-fixture.ts';

describeConfigSource('A control plane', async (domains) => {
  const server = await startAdsServer();
  onTestFinished(() => server.stop());
  let version = 0;
  const set = async (wanted: Readonly<Record<string, number | undefined>>) => {
    version += 1;
    const resources = Object.entries(wanted).map(([domain, limit]) =>
      limit === undefined ? brokenResource(domain) : limitResource(domain, limit),
    );
    server.set(String(version), resources);
  };
  await set(domains);
  const source = createXdsSource({
    server: localServer(server.address),
    node: { id: 'test', metadata: new Map() },
    backoff: promptly,
    clock: systemClock,
    onEvent: (event) => expect(event.kind).not.toBe('delivery-failed'),
  });
  return { source, set };
});
