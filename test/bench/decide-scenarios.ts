import { systemClock } from '../../src/domain/clock.ts';
import type { RateLimitRequest } from '../../src/domain/descriptor.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type Measured, type Scenario, scenario, seededRandom } from './measure.ts';
import { measureDecisions } from './measure-decisions.ts';
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
      return measureDecisions({ rules, store, requests: requestsOf(descriptors), inFlight: 1 });
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
    return await measureDecisions({
      rules,
      store: bench.store,
      requests,
      inFlight: concurrency,
      nodes,
      bench,
    });
  } finally {
    await bench.store.close();
  }
}
