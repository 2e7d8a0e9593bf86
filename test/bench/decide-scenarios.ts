import { anonymous } from '../../src/domain/caller.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { RateLimitRequest } from '../../src/domain/descriptor.ts';
import { createLimiter, type Limiter } from '../../src/limiter/limiter.ts';
import type { CounterStore } from '../../src/store/counter-store.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import {
  cpuMsSince,
  type Measured,
  medianRound,
  rounds,
  type Scenario,
  scenario,
  seededRandom,
} from './measure.ts';
import { type BenchStore, clusterStore, standaloneStore } from './redis-stores.ts';
import { type BenchRule, compileBenchRules, descriptorOf, requestOf } from './rules.ts';

const ruleCount = 10_000;
const keyCount = 1_000;
/** Requests in flight at a time, where the store waits for the network. */
const concurrency = 256;

const perUser: BenchRule = { levels: [['user', '']], matching: [] };
const rules = compileBenchRules([
  perUser,
  ...Array.from(
    { length: ruleCount - 1 },
    (_, index): BenchRule => ({ levels: [['path', `/p-${index}`]], matching: [] }),
  ),
]);

export const decideScenarios: readonly Scenario[] = [
  ...[1, 3].map((descriptors) =>
    scenario(`decide on memory, ${descriptorsText(descriptors)}`, async () => {
      const store = createMemoryStore({ clock: systemClock, maxCounters: 100_000 });
      return measureDecisions({ store, requests: requestsOf(descriptors), inFlight: 1 });
    }),
  ),
  ...[1, 3].map((descriptors) =>
    scenario(`decide on Redis standalone, ${descriptorsText(descriptors)}`, async () => {
      await using redis = await startRedis();
      return await measureOnRedis(standaloneStore(redis), [redis], descriptors);
    }),
  ),
  ...[1, 3].map((descriptors) =>
    scenario(`decide on Redis Cluster of 3, ${descriptorsText(descriptors)}`, async () => {
      await using cluster = await startCluster();
      return await measureOnRedis(clusterStore(cluster), cluster.nodes, descriptors);
    }),
  ),
];

function descriptorsText(count: number): string {
  return count === 1 ? '1 descriptor' : `${count} descriptors`;
}

/** Each descriptor of a request has a key of its own, of a thousand. */
function requestsOf(descriptors: number): RateLimitRequest[] {
  const random = seededRandom(2);
  return Array.from({ length: 4_096 }, () =>
    requestOf(
      Array.from({ length: descriptors }, () =>
        descriptorOf([['user', `user-${Math.floor(random() * keyCount)}`]]),
      ),
    ),
  );
}

async function measureOnRedis(
  bench: BenchStore,
  nodes: readonly RedisServer[],
  descriptors: number,
): Promise<Measured> {
  try {
    await bench.store.ready;
    const requests = requestsOf(descriptors);
    return await measureDecisions({ store: bench.store, requests, inFlight: concurrency, nodes, bench });
  } finally {
    await bench.store.close();
  }
}

interface DecisionRun {
  readonly store: CounterStore;
  readonly requests: readonly RateLimitRequest[];
  readonly inFlight: number;
  readonly nodes?: readonly RedisServer[];
  readonly bench?: BenchStore;
}

async function measureDecisions({
  store,
  requests,
  inFlight,
  nodes = [],
  bench,
}: DecisionRun): Promise<Measured> {
  const limiter = createBenchLimiter(store);
  const times = nodes.length === 0 ? 300_000 : 100_000;
  await decideTimes(limiter, requests, { times, inFlight }); // warm-up
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    const redisBefore = await redisCpuMs(nodes);
    const callsBefore = bench?.calls() ?? { calls: 0, hits: 0 };
    const cpu = process.cpuUsage();
    const start = performance.now();
    await decideTimes(limiter, requests, { times, inFlight });
    const wallMs = performance.now() - start;
    const serviceMicros = (cpuMsSince(cpu) / times) * 1000;
    const calls = bench?.calls() ?? { calls: 0, hits: 0 };
    const redisMs = (await redisCpuMs(nodes)) - redisBefore;
    measured.push({
      decisionsPerSecond: (times / wallMs) * 1000,
      serviceMicros,
      ...(nodes.length === 0
        ? {}
        : {
            redisMicros: (redisMs / times) * 1000,
            hitsPerCall: (calls.hits - callsBefore.hits) / (calls.calls - callsBefore.calls),
          }),
    });
  }
  return medianRound(measured);
}

async function decideTimes(
  limiter: Limiter,
  requests: readonly RateLimitRequest[],
  { times, inFlight }: { times: number; inFlight: number },
): Promise<void> {
  let next = 0;
  const decideInTurn = async () => {
    while (next < times) {
      const request = requests[next++ % requests.length];
      if (request === undefined) throw new Error('no request');
      const answer = await limiter.decide(request, undefined, anonymous);
      if (answer.kind !== 'decision' || answer.overallCode !== 'OK') throw new Error(JSON.stringify(answer));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, decideInTurn));
}

/** As `weir serve` makes it, without listeners: what metrics and logs cost shows in the rows of whole calls. */
function createBenchLimiter(store: CounterStore): Limiter {
  return createLimiter({
    rules: () => rules,
    store,
    clock: systemClock,
    listeners: [],
    bounds: { maxDescriptors: 1_024, maxEntries: 64 },
    storeTimeoutMs: 250,
    countDenied: true,
    quotaMode: false,
    shadowMode: false,
    nearLimitRatio: 0.8,
    denyCache: { maxBytes: 4_194_304, lookAgainMs: 500 },
    responseHeaders: undefined,
    limitFields: false,
    warningHeader: 'X-RateLimit-Warning',
    dynamicMetadata: false,
    denialBody: undefined,
    failurePolicy: 'error',
    localStore: store,
    localShare: 1,
  });
}

/** CPU time of all nodes, as they say themselves. */
export async function redisCpuMs(nodes: readonly RedisServer[]): Promise<number> {
  const infos = await Promise.all(nodes.map((node) => node.client.info('cpu')));
  const seconds = infos.flatMap((info) =>
    Array.from(info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm), ([, value]) => Number(value)),
  );
  return seconds.reduce((sum, one) => sum + one, 0) * 1000;
}
