import { expect, it, onTestFinished } from 'vitest';
import { startAdsServer } from '../../support/ads-server.ts';
import { freePort } from '../../support/free-port.ts';
import { createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import type { RunningWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startWeirOnXds } from './start-weir-on-xds.ts';
import { limitResource } from './xds-fixture.ts';

async function statuses(weir: RunningWeir): Promise<number[]> {
  const paths = ['/livez', '/readyz', '/healthcheck'];
  const answers = paths.map((path) => httpCall({ address: weir.address('http'), path }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

it('a server that cannot be reached at the start: alive, not ready, until it is there', async () => {
  const port = await freePort();
  const weir = await startWeirOnXds(`127.0.0.1:${port}`, { untilReady: false });
  expect(await statuses(weir)).toEqual([200, 503, 500]);
  const client = createGrpcClient(weir.address('grpc'));
  onTestFinished(() => client.close());
  const request = { domain: 'shop', descriptors: [{ entries: [{ key: 'ip', value: 'x' }] }] };
  expect(await client.call(shouldRateLimit, request)).toMatchObject({ status: 'UNAVAILABLE' });

  const server = await startAdsServer({ port });
  onTestFinished(() => server.stop());
  server.set('1', [limitResource('shop', 3)]);
  await waitUntil('weir to be ready', async () => (await statuses(weir))[1] === 200);
  expect(await client.call(shouldRateLimit, request)).toMatchObject({ response: { overallCode: 'OK' } });
});

it('FORCE_START_WITHOUT_INITIAL_CONFIG=true is ready without it', async () => {
  const weir = await startWeirOnXds(`127.0.0.1:${await freePort()}`, {
    env: { FORCE_START_WITHOUT_INITIAL_CONFIG: 'true' },
  });
  expect(await statuses(weir)).toEqual([200, 200, 200]);
});

it('a token in the headers is sent, and is in no line of the log', async () => {
  const server = await startAdsServer();
  onTestFinished(() => server.stop());
  server.set('1', [limitResource('shop', 3)]);
  const weir = await startWeirOnXds(server.address, {
    env: { CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: 'authorization:s3cret-token', LOG_LEVEL: 'trace' },
  });
  expect(server.headers[0]).toMatchObject({ authorization: 's3cret-token' });
  expect(weir.lines.join('\n')).not.toContain('s3cret');
});

it('stops while it waits for the server', async () => {
  const weir = await startWeirOnXds(`127.0.0.1:${await freePort()}`, { untilReady: false });
  expect(await weir.stop()).toMatchObject({ code: 0 });
  expect(weir.lines.join('\n')).toContain('"outcome":"drained"');
});
