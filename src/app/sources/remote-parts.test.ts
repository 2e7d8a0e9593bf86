import { expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { scrape } from '../../../test/support/scrape.ts';
import { createLogger } from '../../log.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { remoteOptions } from './remote-parts.ts';

it('a source that has failed in an unforeseen way counts as one that is away', async () => {
  const metrics = createMetrics({ withProcess: false });
  const log = createLogger({ level: 'fatal', format: 'json', destination: { write: () => {} } });
  const remote = { timeoutMs: 1_000, backoff: { initialMs: 1_000, maxMs: 1_000 } };
  const { onEvent } = remoteOptions('etcd', {
    metrics,
    log,
    clock: fakeClock(),
    remote,
    withContent: false,
  });
  const connected = async () => (await scrape(metrics)).get('weir_config_source_connected{source="etcd"}');
  onEvent({ kind: 'connected' });
  expect(await connected()).toBe(1);
  onEvent({ kind: 'delivery-failed', error: new Error('out of order') });
  expect(await connected()).toBe(0);
});
