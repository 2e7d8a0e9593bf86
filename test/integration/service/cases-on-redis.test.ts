import { afterAll, beforeAll } from 'vitest';
import type { LimiterOptions } from '../../../src/limiter/limiter.ts';
import type { RedisTopology } from '../../../src/store/redis/redis-connection.ts';
import { limitCases, uncountedLimitCases } from '../../case/limits.case.ts';
import { networkCases } from '../../case/networks.case.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { startCluster } from '../../support/redis-cluster.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { type Replica, redisLimiter, standalone } from './redis-limiter.ts';

interface RunningRedis {
  readonly topology: RedisTopology;
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

async function oneRedis(): Promise<RunningRedis> {
  const redis = await startRedis();
  return { topology: standalone(redis.port), nodes: [redis], stop: () => redis.stop() };
}

async function redisCluster(): Promise<RunningRedis> {
  const cluster = await startCluster();
  const seeds = cluster.nodes.map(({ port }) => ({ kind: 'tcp', host: '127.0.0.1', port }) as const);
  return { topology: { kind: 'cluster', seeds }, nodes: cluster.nodes, stop: () => cluster.stop() };
}

for (const [name, start] of [
  ['Redis', oneRedis],
  ['Redis Cluster', redisCluster],
] as const) {
  describeWithTools(['redis-server'], name, () => {
    let running: RunningRedis;
    const replicas: Replica[] = [];
    beforeAll(async () => {
      running = await start();
    });
    afterAll(async () => {
      for (const replica of replicas) await replica[Symbol.asyncDispose]();
      await running?.stop();
    });

    const startWith = (options: Partial<LimiterOptions>) => async (yaml: string) => {
      for (const { client } of running.nodes) await client.flushall();
      const replica = await redisLimiter({ yaml, topology: running.topology, ...options });
      replicas.push(replica);
      return replica.decide;
    };
    networkCases(name, startWith({}));
    limitCases(name, startWith({}));
    limitCases(
      `${name} with the deny cache`,
      startWith({ denyCache: { maxBytes: 100_000, lookAgainMs: 60_000 } }),
    );
    uncountedLimitCases(name, startWith({ countDenied: false }));
  });
}
