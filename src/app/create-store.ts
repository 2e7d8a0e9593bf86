import type { Clock } from '../domain/clock.ts';
import type { Health } from '../health.ts';
import type { Logger } from '../log.ts';
import type { StoreSettings } from '../settings/settings.ts';
import type { CounterStore } from '../store/counter-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import type { MetricReaders, Metrics } from '../telemetry/metrics.ts';

export interface StoreParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** A store, and what it can be asked for metrics. */
export interface Store {
  readonly counters: CounterStore;
  readonly readers: MetricReaders;
}

export function createStore(settings: StoreSettings, parts: StoreParts): Store {
  if (settings.kind === 'memory') return createMemory(settings.maxCounters, parts);
  throw new Error('unreachable until the Redis store is wired');
}

function createMemory(maxCounters: number, { clock }: StoreParts): Store {
  let evictions = 0;
  const counters = createMemoryStore({ clock, maxCounters, onEvict: () => (evictions += 1) });
  return { counters, readers: { memoryCounters: () => counters.size, memoryEvictions: () => evictions } };
}
