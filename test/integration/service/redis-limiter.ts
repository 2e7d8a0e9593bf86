import { anonymous } from '../../../src/domain/caller.ts';
import { type Clock, systemClock } from '../../../src/domain/clock.ts';
import type { Descriptor } from '../../../src/domain/descriptor.ts';
import { createLimiter, type LimiterOptions } from '../../../src/limiter/limiter.ts';
import type { RedisConnection, RedisTopology } from '../../../src/store/redis/redis-connection.ts';
import { createRedisStore } from '../../../src/store/redis/redis-store.ts';
import { defaultLimiterOptions, rulesOf } from '../../support/limiter-fixture.ts';
import { type DescriptorParts, descriptor, request } from '../../support/requests.ts';

export interface RedisLimiterOptions extends Partial<LimiterOptions> {
  readonly yaml: string;
  readonly topology: RedisTopology;
  readonly clock?: Clock;
}

/** One replica: a limiter on a real Redis, in this process, with connections of its own. */
export async function redisLimiter({ yaml, topology, clock = systemClock, ...options }: RedisLimiterOptions) {
  const rules = rulesOf(yaml);
  const store = createRedisStore({
    clock,
    connection: connectionTo(topology),
    expirationJitterMaxSeconds: 300,
  });
  await store.ready;
  const limiter = createLimiter({
    ...defaultLimiterOptions,
    rules: () => rules,
    store,
    clock,
    storeTimeoutMs: 5_000,
    ...options,
  });
  return {
    /** The decision on `key=value` descriptors; fails when there is none. */
    async decide(asked: readonly (string | Descriptor)[], parts: DescriptorParts = {}) {
      const descriptors = asked.map((one) => (typeof one === 'string' ? descriptor(one, parts) : one));
      const answer = await limiter.decide(request('shop', descriptors), undefined, anonymous);
      if (answer.kind === 'failure') throw new Error(`${answer.code}: ${answer.message}`);
      return answer;
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

export type Replica = Awaited<ReturnType<typeof redisLimiter>>;

function connectionTo(topology: RedisTopology): RedisConnection {
  return {
    topology,
    auth: undefined,
    sentinelAuth: undefined,
    db: 0,
    tls: undefined,
    connectTimeoutMs: 2_000,
  };
}

export function standalone(port: number): RedisTopology {
  return { kind: 'standalone', address: { kind: 'tcp', host: '127.0.0.1', port } };
}
