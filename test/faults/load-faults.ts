import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callRules } from '../bench/call-scenarios.ts';
import type { LoadResult } from '../bench/load/load-result.ts';
import { runLoad } from '../bench/load/run-load.ts';
import { processMebibytes } from '../bench/process-costs.ts';
import { startRedis } from '../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { testedTransport } from '../support/transport-limits.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectations, type Fault, type FaultReport } from './fault.ts';
import { seriesOfName } from './scraped-series.ts';
import { serve } from './serve.ts';
import { startTraffic } from './traffic.ts';
import { writeRules } from './written-rules.ts';

/** Short deadlines, hot keys, and more than can be served. */
export const loadFaults: readonly Fault[] = [
  {
    id: 'P01',
    title: '2,000 calls/s from the first moment, and while 50,000 rules are loaded: Envoy waits 20 ms',
    tools: ['redis-server'],
    run: servesImpatient,
  },
  {
    id: 'P02',
    title: 'Commands of Redis for a decision',
    tools: ['redis-server'],
    run: countsCommands,
  },
  {
    id: 'P04',
    title: '20,000 calls/s on one key',
    tools: ['redis-server'],
    run: joinsHotKey,
  },
  {
    id: 'P05',
    title: 'Five times what it can serve, and 16,384 calls open all the time',
    tools: ['redis-server'],
    run: refusesExcess,
  },
];

async function servesImpatient(): Promise<FaultReport> {
  await using redis = await startRedis();
  await using rules = await writeRules(callRules);
  await using weir = await startWeir({
    rules: rules.directory,
    env: { REDIS_URL: redis.address, LOCAL_CACHE_SIZE_IN_BYTES: '0' },
  });
  const load = { target: weir.address('grpc'), mode: 'open', rate: 2_000, streams: 1_000 } as const;
  const cold = await runLoad({ ...load, seconds: 2 });
  const loading = runLoad({ ...load, seconds: 8 });
  await writeFile(join(rules.directory, 'many.yaml'), manyRules(50_000));
  await waitUntil('the rules', async () => (await ruleCount(weir)) > 50_000, 60_000);
  const during = await loading;
  const { hold, broken } = expectations();
  hold(cold.failed + during.failed === 0, `${cold.failed + during.failed} calls failed`);
  return {
    broken,
    note: [
      `the first ${cold.calls} calls: p99 ${ms(cold.p99)}, p99.9 ${ms(cold.p999)}, longest ${ms(cold.max)}`,
      `${during.calls} calls while rules are loaded: p99 ${ms(during.p99)}, p99.9 ${ms(during.p999)}, longest ${ms(during.max)}`,
    ].join('; '),
  };
}

function manyRules(count: number): string {
  const rule = (index: number) =>
    `  - {key: t, value: t${index}, rate_limit: {unit: day, requests_per_unit: 9}}`;
  return `domain: many\ndescriptors:\n${Array.from({ length: count }, (_, index) => rule(index)).join('\n')}\n`;
}

function ruleCount(weir: RunningWeir): Promise<number> {
  return seriesOfName(weir, 'weir_config_rules');
}

async function countsCommands(): Promise<FaultReport> {
  await using redis = await startRedis();
  await using weir = await serve({ REDIS_URL: redis.address });
  await redis.client.config('RESETSTAT');
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate: 200, descriptors: 3 });
  await sleep(2_000);
  await traffic.stop();
  const stats = await redis.client.info('commandstats');
  const counts = new Map(
    Array.from(stats.matchAll(/cmdstat_(\S+):calls=(\d+)/g), ([, name = '', count]) => [name, Number(count)]),
  );
  for (const own of ['config|resetstat', 'info']) counts.delete(own);
  const calls = counts.get('evalsha') ?? 0;
  const { hold, broken } = expectations();
  hold(calls <= traffic.records.length, `${calls} script calls for ${traffic.records.length} decisions`);
  // The script itself asks for the time and adds; nothing else reaches Redis.
  const others = [...counts.keys()].filter(
    (name) => !['evalsha', 'time', 'incrby', 'set', 'get'].includes(name),
  );
  hold(others.length === 0, `other commands: ${others.join(', ')}`);
  const share = calls / traffic.records.length;
  return {
    broken,
    note: `${share.toFixed(2)} script calls for a decision of three descriptors; no other command`,
  };
}

async function joinsHotKey(): Promise<FaultReport> {
  await using redis = await startRedis();
  await using weir = await startWeir({
    rules: callRules,
    env: { REDIS_URL: redis.address, LOCAL_CACHE_SIZE_IN_BYTES: '0' },
  });
  const target = weir.address('grpc');
  await redis.client.config('RESETSTAT');
  const result = await runLoad({ target, mode: 'open', rate: 20_000, seconds: 4, keys: 1 });
  const stats = await redis.client.info('commandstats');
  const adds = Number(/cmdstat_incrby:calls=(\d+)/.exec(stats)?.[1]);
  const [key = ''] = await redis.client.keys('*');
  const counted = Number(await redis.client.get(key)) % 2 ** 33;
  const { hold, broken } = expectations();
  hold(counted === result.calls - result.failed, `${counted} counted of ${result.calls - result.failed}`);
  return {
    broken,
    note:
      `${result.calls} calls, ${adds} additions in Redis, all counted exactly; ` +
      `p50 ${ms(result.p50)}, p99 ${ms(result.p99)}`,
  };
}

const ms = (microseconds: number) => `${(microseconds / 1_000).toFixed(1)} ms`;

/** As many calls as Envoy opens to a service at the same time, unless it is told otherwise. */
const proxyCalls = 1_024;
const proxies = 16;

async function refusesExcess(): Promise<FaultReport> {
  await using redis = await startRedis();
  await using weir = await startWeir({
    rules: callRules,
    env: { REDIS_URL: redis.address, LOCAL_CACHE_SIZE_IN_BYTES: '0' },
  });
  const target = weir.address('grpc');
  const capacity = await runLoad({ target, connections: 4, streams: 50, seconds: 3, warmUpSeconds: 2 });
  const load = { target, connections: proxies, streams: proxyCalls } as const;
  const rate = (times: number) => Math.round(times * capacity.callsPerSecond);
  const before = processMebibytes(weir.pid);
  const flood = await runLoad({ ...load, mode: 'open', rate: rate(5), seconds: 4 });
  const held = await runLoad({ ...load, mode: 'closed', seconds: 4 });
  const during = processMebibytes(weir.pid);
  const calm = await runLoad({ ...load, mode: 'open', rate: rate(0.4), seconds: 3 });
  const { hold, broken } = expectations();
  hold(weir.exit === undefined, 'the service ended');
  hold(
    calm.failed < calm.calls / 100,
    `${calm.failed} of ${calm.calls} calls failed when the flood was over`,
  );
  const share = flood.callsPerSecond / capacity.callsPerSecond;
  // The library deals with all that came in one turn, whatever there is to do besides.
  if (testedTransport === 'native') hold(share > 0.2, `served ${(100 * share).toFixed(0)} % of what it can`);
  return {
    broken,
    rss: [before, during, processMebibytes(weir.pid)],
    note: [
      `can serve ${served(capacity)}`,
      `of five times that ${Math.round(flood.calls / flood.seconds)}/s got through, ${Math.round(flood.callsPerSecond)}/s were served`,
      `with ${proxies * proxyCalls} calls open all the time ${served(held)}`,
      `at 0.4 times afterwards ${served(calm)}, ${calm.failed} failed`,
    ].join('; '),
  };
}

function served({ callsPerSecond, p50, p99 }: LoadResult): string {
  return `${Math.round(callsPerSecond)}/s (p50 ${ms(p50)}, p99 ${ms(p99)})`;
}
