import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../scripts/run-command.ts';
import { freePorts } from '../support/free-port.ts';
import { startRedis } from '../support/redis-server.ts';
import { startEnvoy } from '../support/start-envoy.ts';
import { startUpstream } from '../support/start-upstream.ts';
import type { RunningWeir } from '../support/start-weir.ts';
import { requireTool } from '../support/tools.ts';
import { testedTransport } from '../support/transport-limits.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectations, type Fault, type FaultReport } from './fault.ts';
import { figuresOf } from './figures.ts';
import { balance, countsIn } from './ledger.ts';
import { seriesOfName } from './scraped-series.ts';
import { serve } from './serve.ts';
import { startTraffic } from './traffic.ts';

/** Replicas that are stopped and started under traffic. */
export const rolloutFaults: readonly Fault[] = [
  {
    id: 'D01',
    title: 'Two replicas are restarted one after the other under 2,000 calls/s of grpc-js',
    tools: ['redis-server'],
    run: rollsUnderGrpcJs,
  },
  {
    id: 'D01',
    title: 'The same under 2,000 requests/s through Envoy, which denies on failure',
    tools: ['redis-server', 'envoy', 'h2load'],
    run: rollsUnderEnvoy,
  },
  {
    id: 'D01',
    title: 'SIGTERM while a client is halted that has calls open',
    tools: ['redis-server'],
    run: stopsWithHaltedClient,
  },
];

const drainSettings = { DRAIN_DELAY: '3s', DRAIN_DEADLINE: '10s' };

/** A replica on a port that stays its own over restarts. */
function replica(redis: string, port: number): Promise<RunningWeir> {
  return serve({ REDIS_URL: redis, GRPC_PORT: String(port), STORE_TIMEOUT: '250ms', ...drainSettings });
}

/** Stops each replica and starts it again, the next when the one before is ready. */
async function roll(
  redis: string,
  ports: readonly number[],
  replicas: RunningWeir[],
  settled: () => Promise<unknown>,
): Promise<void> {
  for (const [index, port] of ports.entries()) {
    await settled();
    await replicas[index]?.stop();
    replicas[index] = await replica(redis, port);
  }
  await settled();
}

async function rollsUnderGrpcJs(): Promise<FaultReport> {
  await using redis = await startRedis();
  const ports = await freePorts(2);
  const replicas = await Promise.all(ports.map((port) => replica(redis.address, port)));
  try {
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    await using traffic = startTraffic({ addresses, rate: 2_000, isBalanced: true });
    const begun = performance.now();
    await sleep(1_500);
    const rolledAt = performance.now();
    await roll(redis.address, ports, replicas, () => sleep(1_500));
    const ended = performance.now();
    await traffic.stop();
    const { hold, broken } = expectations();
    const during = figuresOf(traffic.records, rolledAt, ended);
    const ledger = balance(await countsIn([redis.client]), traffic.sent, traffic.records);
    const failed = traffic.records.filter(({ outcome }) => outcome !== 'counted');
    // As a server the library ends connections without asking first, and calls that were on their way are lost.
    if (testedTransport === 'native') hold(failed.length === 0, `${failed.length} calls failed`);
    hold(ledger.doubled === 0, `${ledger.doubled} hits were counted twice`);
    return {
      broken,
      note: `${during.calls} calls, ${failed.length} failed ${[...new Set(failed.map(({ outcome }) => outcome))].join(', ')}`,
      before: figuresOf(traffic.records, begun, rolledAt),
      during,
      ledger,
    };
  } finally {
    await Promise.all(replicas.map((one) => one.stop()));
  }
}

async function rollsUnderEnvoy(): Promise<FaultReport> {
  await using redis = await startRedis();
  await using upstream = await startUpstream();
  const ports = await freePorts(2);
  const replicas = await Promise.all(ports.map((port) => replica(redis.address, port)));
  try {
    await using envoy = await startEnvoy({
      bootstrap: fileURLToPath(new URL('../e2e/data/envoy-e2e-variants/health-check.yaml', import.meta.url)),
      service: `127.0.0.1:${ports[0]}`,
      upstream: upstream.address,
      edit: (text) => withEndpoints(text, ports),
    });
    const healthy = async () =>
      (await envoy.stats('^cluster.ratelimit.membership_healthy$'))[
        'cluster.ratelimit.membership_healthy'
      ] === 2;
    await waitUntil('two healthy replicas', healthy);
    const load = requests(`http://${envoy.listener(10000)}/header`);
    await roll(redis.address, ports, replicas, () => waitUntil('both to be healthy', healthy));
    const output = await load;
    const { hold, broken } = expectations();
    hold(/status codes: \d+ 2xx, 0 3xx, 0 4xx, 0 5xx/.test(output), statusCodes(output));
    hold(/, 0 failed, 0 errored, 0 timeout/.test(output), 'requests failed');
    return { broken, note: statusCodes(output) };
  } finally {
    await Promise.all(replicas.map((one) => one.stop()));
  }
}

/** A second endpoint, and checks that are done before the drain delay is over. */
function withEndpoints(text: string, ports: readonly number[]): string {
  const endpoints = ports.map(
    (port) => `{ endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: ${port} } } } }`,
  );
  return text
    .replace(
      new RegExp(`lb_endpoints: \\[ .*port_value: ${ports[0]} .*\\]`),
      `lb_endpoints: [ ${endpoints.join(', ')} ] } ]`,
    )
    .replace('interval: 1s', 'interval: 0.5s')
    .replace('no_traffic_interval: 1s', 'no_traffic_interval: 0.5s')
    .replace('domain: e2e', 'domain: shop')
    .replace('header_name: x-api-key, descriptor_key: api_key', 'header_name: ":path", descriptor_key: ip');
}

async function requests(url: string): Promise<string> {
  const args = ['--h1', '--clients', '20', '--rps', '100', '--duration', '25', '--warm-up-time', '0', url];
  const { output } = await runCommand(requireTool('h2load'), args, { cwd: '.' });
  return output;
}

function statusCodes(output: string): string {
  return /status codes: .*/.exec(output)?.[0] ?? output.slice(-500);
}

async function stopsWithHaltedClient(): Promise<FaultReport> {
  await using redis = await startRedis();
  const weir = await serve({ REDIS_URL: redis.address, DRAIN_DELAY: '100ms', DRAIN_DEADLINE: '2s' });
  const [host = '', port = ''] = weir.address('grpc').split(':');
  // It has said what a client says first, opened a call, and never reads or writes again.
  const socket = connect(Number(port), host);
  socket.on('error', () => {});
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
  socket.pause();
  await waitUntil('the connection', async () => (await seriesOfName(weir, 'weir_grpc_connections')) > 0);
  const stoppedAt = performance.now();
  weir.signal('SIGTERM');
  const { code } = await weir.ended;
  const seconds = (performance.now() - stoppedAt) / 1_000;
  socket.destroy();
  const { hold, broken } = expectations();
  hold(code === 0, `it ended with ${code}`);
  return { broken, note: `ended ${seconds.toFixed(1)} s after SIGTERM; DRAIN_DEADLINE was 2 s` };
}
