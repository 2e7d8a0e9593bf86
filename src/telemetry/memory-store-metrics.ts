import type { Registry } from 'prom-client';
import { registerFamily, sampleOf } from './metric-family.ts';

/** What there is to know of counters in this process. */
export class MemoryStoreMetrics {
  #evictions = 0;

  /** @param isByDefault limits are counted here although nobody asked for that */
  constructor(registry: Registry, isByDefault: boolean) {
    registerFamily(registry, {
      name: 'weir_store_local_by_default',
      help: '1 if each replica counts alone in its own memory and BACKEND_TYPE=memory does not say that this is meant.',
      type: 'gauge',
      read: () => sampleOf(isByDefault ? 1 : 0),
    });
    registerFamily(registry, {
      name: 'weir_memory_store_evictions_total',
      help: 'Counters that the memory store gave up for room before their window ended: their limits started anew.',
      type: 'counter',
      read: () => sampleOf(this.#evictions),
    });
  }

  addEviction(): void {
    this.#evictions += 1;
  }
}
