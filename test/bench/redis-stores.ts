import type { CounterStore } from '../../src/store/counter-store.ts';
import type { RedisConnection, RedisTopology } from '../../src/store/redis/redis-connection.ts';
import { createRedisStore } from '../../src/store/redis/redis-store.ts';
import type { RedisCluster } from '../support/redis-cluster.ts';
import type { RedisServer } from '../support/redis-server.ts';

/** A store that counts its script calls. */
export interface BenchStore {
  readonly store: CounterStore;
  /** Script calls so far, and the hits in them. */
  calls(): { calls: number; hits: number };
}

export function standaloneStore({ port }: RedisServer): BenchStore {
  return storeOf({ kind: 'standalone', address: { kind: 'tcp', host: '127.0.0.1', port } });
}

export function clusterStore({ nodes }: RedisCluster): BenchStore {
  return storeOf({
    kind: 'cluster',
    seeds: nodes.map(({ port }) => ({ kind: 'tcp', host: '127.0.0.1', port })),
  });
}

function storeOf(topology: RedisTopology): BenchStore {
  const connection: RedisConnection = {
    topology,
    auth: undefined,
    sentinelAuth: undefined,
    db: 0,
    tls: undefined,
    connectTimeoutMs: 5_000,
  };
  const sum = { calls: 0, hits: 0 };
  const store = createRedisStore({
    connection,
    expirationJitterMaxSeconds: 300,
    onEvent: (event) => {
      if (event.kind !== 'call') return;
      sum.calls++;
      sum.hits += event.hits;
    },
  });
  return { store, calls: () => ({ ...sum }) };
}
