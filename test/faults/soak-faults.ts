import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processMebibytes } from '../bench/process-costs.ts';
import { heldBytes, tellingNodeOptions } from '../support/held-memory.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectations, type Fault, type FaultReport } from './fault.ts';
import { figuresOf } from './figures.ts';
import { seriesAt } from './scraped-series.ts';
import { openRules } from './serve.ts';
import { startTraffic } from './traffic.ts';
import { writeRules } from './written-rules.ts';

/** SOAK_SECONDS has it go on for longer. */
const seconds = Number(process.env['SOAK_SECONDS'] ?? 120);

/** Whether anything grows that should not. */
export const soakFaults: readonly Fault[] = [
  {
    id: 'Soak',
    title: `${seconds} s of traffic, and a fault at random every second`,
    tools: ['redis-server'],
    run: soak,
  },
];

/** What a process holds, in numbers. */
interface Holdings {
  /** When all garbage is collected. */
  readonly heldMebibytes: number;
  /** Resident, garbage included. */
  readonly mebibytes: number;
  readonly handles: number;
  /** But those that a kind of fault begins when it comes first: there are so many kinds and no more. */
  readonly series: number;
  readonly connections: number;
}

async function soak(): Promise<FaultReport> {
  await using redis = await startRedis();
  await using rules = await writeRules(openRules);
  await using weir = await startWeir({
    rules: rules.directory,
    env: {
      REDIS_URL: redis.address,
      STORE_TIMEOUT: '50ms',
      RESPONSE_DYNAMIC_METADATA: 'true',
      GRPC_MAX_CONNECTION_AGE: '5s',
      NODE_OPTIONS: tellingNodeOptions,
    },
  });
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate: 500 });
  const begun = performance.now();
  const faults = faultsOn(redis, rules.directory);
  // What is held depends on what has happened already: the first fifth is not compared.
  await faultsFor(faults, seconds / 5);
  const before = await calmHoldings(weir, redis);
  const happened = await faultsFor(faults, (4 * seconds) / 5);
  const after = await calmHoldings(weir, redis);
  const ended = performance.now();
  await traffic.stop();
  const { hold, broken } = expectations();
  hold(weir.exit === undefined, 'the service ended');
  const grown = after.heldMebibytes - before.heldMebibytes;
  hold(grown < 4, `what is held grew by ${grown.toFixed(1)} MiB`);
  hold(after.handles <= before.handles + 2, `handles: ${before.handles}, then ${after.handles}`);
  hold(after.connections <= 1, `${after.connections} connections to Redis`);
  hold(after.series <= before.series + 10, `series: ${before.series}, then ${after.series}`);
  return {
    broken,
    during: figuresOf(traffic.records, begun, ended),
    rss: [before.mebibytes, after.mebibytes, after.mebibytes],
    note:
      `${happened} faults; held ${before.heldMebibytes.toFixed(1)} → ${after.heldMebibytes.toFixed(1)} MiB, handles ${before.handles} → ${after.handles}, ` +
      `series ${before.series} → ${after.series}, connections to Redis ${after.connections}`,
  };
}

type SmallFault = () => Promise<unknown>;

function faultsOn(redis: RedisServer, directory: string): readonly SmallFault[] {
  let version = 0;
  return [
    () => redis.client.call('CLIENT', 'PAUSE', '300', 'ALL'),
    () => redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    () => redis.client.script('FLUSH'),
    () => redis.client.flushall(),
    () => redis.restart(),
    async () => {
      process.kill(redis.pid, 'SIGSTOP');
      await sleep(400);
      process.kill(redis.pid, 'SIGCONT');
    },
    () =>
      redis.client
        .call('REPLICAOF', '127.0.0.1', '1')
        .then(() => redis.client.call('REPLICAOF', 'NO', 'ONE')),
    () => {
      version += 1;
      const more = `domain: more\ndescriptors:\n  - {key: k${version}, rate_limit: {unit: day, requests_per_unit: 9}}\n`;
      return writeFile(join(directory, 'more.yaml'), version % 3 === 0 ? 'domain: ""\n' : more);
    },
  ];
}

async function faultsFor(faults: readonly SmallFault[], forSeconds: number): Promise<number> {
  const until = performance.now() + 1_000 * forSeconds;
  let happened = 0;
  for (; performance.now() < until; happened += 1) {
    const fault = faults[Math.floor(Math.random() * faults.length)] as SmallFault;
    // A fault may meet another one, which has not passed yet.
    await fault().catch(() => {});
    await sleep(1_000);
  }
  return happened;
}

/** When the last fault has passed, and what was for it is gone. */
async function calmHoldings(weir: RunningWeir, redis: RedisServer): Promise<Holdings> {
  await waitUntil('Redis', async () => (await redis.client.ping()) === 'PONG', 60_000);
  await sleep(3_000);
  const series = await seriesAt(weir);
  return {
    heldMebibytes: (await heldBytes(weir)) / 1_048_576,
    mebibytes: Math.round(processMebibytes(weir.pid)),
    handles: series.get('nodejs_active_handles_total') ?? 0,
    series: [...series.keys()].filter((name) => !/kind=|cause=/.test(name)).length,
    connections: series.get('ratelimit_redis_pool_cx_active') ?? 0,
  };
}
