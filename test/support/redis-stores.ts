import type { AdjustableStore } from '../../src/store/counter-store.ts';
import type { RedisConnection, RedisTopology } from '../../src/store/redis/redis-connection.ts';
import { createRedisStore, type RedisStoreOptions } from '../../src/store/redis/redis-store.ts';
import type { RedisStoreEvent } from '../../src/store/redis/store-event.ts';
import type { RedisCluster } from './redis-cluster.ts';

/** A store on Redis with everything it told of itself. */
export interface ObservedStore {
  readonly store: AdjustableStore;
  readonly events: readonly RedisStoreEvent[];
}

export function connectionTo(topology: RedisTopology, rest: Partial<RedisConnection> = {}): RedisConnection {
  const defaults = {
    auth: undefined,
    sentinelAuth: undefined,
    db: 0,
    tls: undefined,
    connectTimeoutMs: 5_000,
  };
  return { topology, ...defaults, ...rest };
}

/** A connection to `127.0.0.1:port`. */
export function connectionToPort(port: number, rest: Partial<RedisConnection> = {}): RedisConnection {
  return connectionTo({ kind: 'standalone', address: { kind: 'tcp', host: '127.0.0.1', port } }, rest);
}

export function connectionToCluster(cluster: RedisCluster): RedisConnection {
  const seeds = cluster.nodes.map(({ port }) => ({ kind: 'tcp', host: '127.0.0.1', port }) as const);
  return connectionTo({ kind: 'cluster', seeds });
}

export function observedStore(
  connection: RedisConnection,
  options: Partial<RedisStoreOptions> = {},
): ObservedStore {
  const events: RedisStoreEvent[] = [];
  const onEvent = (event: RedisStoreEvent) => events.push(event);
  const store = createRedisStore({ connection, expirationJitterMaxSeconds: 300, onEvent, ...options });
  return { store, events };
}
