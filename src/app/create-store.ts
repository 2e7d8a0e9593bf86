import type { Clock } from '../domain/clock.ts';
import type { Health } from '../health.ts';
import type { Logger } from '../log.ts';
import type { RedisStoreSettings, StoreSettings } from '../settings/settings.ts';
import type { AdjustableStore } from '../store/counter-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createRedisStore } from '../store/redis/redis-store.ts';
import type { RedisStoreEvent } from '../store/redis/store-event.ts';
import type { MetricReaders, Metrics } from '../telemetry/metrics.ts';
import { createStoreLog } from '../telemetry/store-log.ts';
import { redisConnection } from './redis-connection.ts';

export interface StoreParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** A store, and what it can be asked for metrics. */
export interface Store {
  readonly counters: AdjustableStore;
  readonly readers: MetricReaders;
}

/** The store of the settings. Throws, with a sentence, when its address or certificates cannot be read. */
export function createStore(settings: StoreSettings, parts: StoreParts): Store {
  return settings.kind === 'memory'
    ? createMemory(settings.maxCounters, parts)
    : createRedis(settings, parts);
}

function createMemory(maxCounters: number, { clock, metrics }: StoreParts): Store {
  const counters = createMemoryStore({ clock, maxCounters, onEvict: metrics.onEviction });
  return { counters, readers: { memoryCounters: () => counters.size } };
}

function createRedis(settings: RedisStoreSettings, { clock, log, metrics, health }: StoreParts): Store {
  const logEvent = createStoreLog({ log, clock });
  const onEvent = (event: RedisStoreEvent) => {
    metrics.onStoreEvent(event);
    logEvent(event);
    if (event.kind === 'usable' || event.kind === 'closed') {
      health.report({ kind: 'store-connection', isConnected: counters.isConnected() });
    }
  };
  const { expirationJitterMaxSeconds, perSecond } = settings;
  const counters: AdjustableStore = createRedisStore({
    clock,
    connection: redisConnection(settings.connection, 'REDIS', log),
    perSecond: perSecond && redisConnection(perSecond, 'REDIS_PERSECOND', log),
    expirationJitterMaxSeconds,
    onEvent,
  });
  return { counters, readers: {} };
}
