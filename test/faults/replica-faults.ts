import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { processMebibytes } from '../bench/process-costs.ts';
import { checkHealth, createGrpcClient, shouldRateLimit } from '../support/grpc-client.ts';
import { httpCall } from '../support/http-call.ts';
import { startRedis } from '../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectations, type Fault, type FaultReport } from './fault.ts';
import { figuresOf } from './figures.ts';
import { seriesOfName } from './scraped-series.ts';
import { openRules, serve } from './serve.ts';
import { startSpreader } from './spreader.ts';
import { startTraffic } from './traffic.ts';

/** Probes, and replicas that share what there is. */
export const replicaFaults: readonly Fault[] = [
  {
    id: 'D02',
    title: 'Probes: no rules, rules, Redis gone, SIGTERM',
    tools: ['redis-server'],
    run: answersProbes,
  },
  {
    id: 'D03',
    title: 'From one replica to four behind a balancer of connections (greatest age 2 s)',
    tools: ['redis-server'],
    run: scalesOut,
  },
  {
    id: 'D07',
    title: 'Two releases on one Redis, with a prefix each, and with one for both',
    tools: ['redis-server'],
    run: sharesRedis,
  },
  {
    id: 'D08',
    title: 'Probes on fresh connections, 200 a second, half of them cut in the handshake',
    tools: [],
    run: probesAnew,
  },
];

async function answersProbes(): Promise<FaultReport> {
  await using redis = await startRedis();
  const broken_ = { 'shop.yaml': 'domain: ""\n' };
  const { hold, broken } = expectations();
  const seen: string[] = [];
  const probe = async (what: string, weir: RunningWeir, expected: readonly [string, number, number]) => {
    const client = createGrpcClient(weir.address('grpc'));
    const answer = await client.call(checkHealth, { service: '' });
    client.close();
    const status = 'response' in answer ? String(answer.response['status']) : answer.status;
    const ready = (await httpCall({ address: weir.address('http'), path: '/readyz' })).status;
    const live = (await httpCall({ address: weir.address('http'), path: '/livez' })).status;
    const found = [status, ready, live];
    hold(found.join() === expected.join(), `${what}: ${found.join(', ')}`);
    seen.push(`${what}: ${status}`);
  };
  const without = await startWeir({ rules: broken_, env: { REDIS_URL: redis.address }, untilReady: false });
  await probe('no rules', without, ['NOT_SERVING', 503, 200]);
  await without.stop();
  await using weir = await serve({ REDIS_URL: redis.address, DRAIN_DELAY: '5s', DRAIN_DEADLINE: '10s' });
  await probe('rules', weir, ['SERVING', 200, 200]);
  await redis.kill();
  await probe('Redis gone', weir, ['SERVING', 200, 200]);
  weir.signal('SIGTERM');
  await waitUntil('it stops', () => weir.lines.some((line) => line.includes('stopping')));
  await probe('SIGTERM', weir, ['NOT_SERVING', 503, 200]);
  weir.signal('SIGTERM');
  return { broken, note: seen.join('; ') };
}

async function scalesOut(): Promise<FaultReport> {
  await using redis = await startRedis();
  const settings = { REDIS_URL: redis.address, GRPC_MAX_CONNECTION_AGE: '2s', STORE_TIMEOUT: '250ms' };
  const replicas = [await serve(settings)];
  try {
    await using spreader = await startSpreader([portOf(replicas[0])]);
    await using traffic = startTraffic({
      // Eight clients, as so many workers of proxies.
      addresses: Array.from({ length: 8 }, () => `127.0.0.1:${spreader.port}`),
      rate: 1_000,
    });
    const begun = performance.now();
    await sleep(1_000);
    while (replicas.length < 4) replicas.push(await serve(settings));
    spreader.targets = replicas.map(portOf);
    const scaledAt = performance.now();
    await sleep(4_400);
    const callsBefore = await Promise.all(replicas.map(calls));
    await sleep(1_000);
    const callsAfter = await Promise.all(replicas.map(calls));
    const ended = performance.now();
    await traffic.stop();
    const shares = callsAfter.map((count, index) => count - (callsBefore[index] ?? 0));
    const { hold, broken } = expectations();
    const during = figuresOf(traffic.records, scaledAt, ended);
    hold(
      shares.every((count) => count > 0),
      'a replica has no traffic',
    );
    return {
      broken,
      note: `calls in a second after twice the age: ${shares.join(', ')}`,
      before: figuresOf(traffic.records, begun, scaledAt),
      during,
    };
  } finally {
    await Promise.all(replicas.map((one) => one.stop()));
  }
}

function portOf(weir: RunningWeir | undefined): number {
  return Number(weir?.address('grpc').split(':')[1]);
}

function calls(weir: RunningWeir): Promise<number> {
  return seriesOfName(weir, 'weir_decisions_total{code="OK"}');
}

async function sharesRedis(): Promise<FaultReport> {
  await using redis = await startRedis();
  const { hold, broken } = expectations();
  const used = async (...prefixes: string[]) => {
    const remaining: number[] = [];
    for (const CACHE_KEY_PREFIX of prefixes) {
      await using weir = await serve({ REDIS_URL: redis.address, CACHE_KEY_PREFIX });
      const client = createGrpcClient(weir.address('grpc'));
      const descriptors = [{ entries: [{ key: 'ip', value: 'k' }] }];
      const answer = await client.call(shouldRateLimit, { domain: 'shop', descriptors });
      client.close();
      const { statuses } = (answer as { response: { statuses: { limitRemaining: number }[] } }).response;
      remaining.push(4_000_000_000 - (statuses[0]?.limitRemaining ?? 0));
    }
    return remaining.join();
  };
  const [apart, together] = [await used('blue:', 'green:'), await used('both:', 'both:')];
  hold(apart === '1,1', `with a prefix each they have used ${apart}`);
  hold(together === '1,2', `with one prefix they have used ${together}`);
  return { broken, note: `used with a prefix each: ${apart}; with one: ${together}` };
}

async function probesAnew(): Promise<FaultReport> {
  await using weir = await startWeir({ rules: openRules, env: { BACKEND_TYPE: 'memory' } });
  const [host = '', port = ''] = weir.address('grpc').split(':');
  const seconds = 5;
  let failed = 0;
  const probe = async () => {
    const client = createGrpcClient(weir.address('grpc'));
    const answer = await client.call(checkHealth, { service: '' });
    if (!('response' in answer)) failed += 1;
    client.close();
  };
  const cut = () => {
    const socket = connect(Number(port), host, () => {
      socket.write('PRI * HTTP/2.0\r\n');
      socket.destroy();
    });
    socket.on('error', () => {});
  };
  const round = async (forSeconds: number) => {
    const probes: Promise<void>[] = [];
    const until = performance.now() + 1_000 * forSeconds;
    while (performance.now() < until) {
      probes.push(probe());
      cut();
      await sleep(10);
    }
    await Promise.all(probes);
    return probes.length;
  };
  await round(2);
  const before = processMebibytes(weir.pid);
  const probes = await round(seconds);
  const after = processMebibytes(weir.pid);
  const open = await waitUntil('connections to end', async () => {
    const count = await seriesOfName(weir, 'weir_grpc_connections');
    return count === 0 ? 'none' : undefined;
  });
  const { hold, broken } = expectations();
  hold(failed === 0, `${failed} probes failed`);
  hold(after - before < 32, `memory grew by ${(after - before).toFixed(0)} MiB`);
  return {
    broken,
    note: `${probes} probes, and as many cut; open at the end: ${open}`,
    rss: [before, after, after],
  };
}
