import type { Registry } from 'prom-client';
import type { Adjustment } from '../domain/adjustment.ts';
import { type CounterChange, isFault } from '../domain/counter-report.ts';
import { registerFamily, samplesOf } from './metric-family.ts';

/** What people did to counters. */
export class CounterMetrics {
  readonly #changes: Record<Adjustment['kind'], number> = { reset: 0, grant: 0 };

  constructor(registry: Registry) {
    registerFamily(registry, {
      name: 'weir_counter_changes_total',
      help: 'Counters that somebody reset or granted hits on, by the debug listener.',
      type: 'counter',
      read: () => samplesOf('operation', this.#changes),
    });
  }

  add({ adjustment, report }: CounterChange): void {
    this.#changes[adjustment.kind] += report.counters.filter(({ state }) => !isFault(state)).length;
  }
}
