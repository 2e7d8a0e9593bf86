import { isOver } from '../../algorithm/denial.ts';
import type { Counting } from '../../domain/counting.ts';
import type { Hit } from '../../domain/hit.ts';
import type { CounterState } from '../counter-store.ts';
import { isStoreError, type StoreError } from '../store-error.ts';

/** What hits that were counted together did to one counter. */
export interface CounterChange {
  readonly key: string;
  readonly counting: Counting;
  /** Those of the hits that changed it. */
  readonly hits: readonly Hit[];
  /** What they added in all, or took away. Not 0. */
  readonly sum: number;
}

/**
 * The counters that differ from before, each once: hits on one counter undone one by one could meet the floor at 0, or the
 * greatest count, where the hits themselves did not.
 * @param states of the hits, in order; one with an error changed nothing
 */
export function counterChanges(
  hits: readonly Hit[],
  states: readonly (CounterState | StoreError)[],
): readonly CounterChange[] {
  const changes = new Map<string, CounterChange & { hits: Hit[]; sum: number }>();
  for (const [index, hit] of hits.entries()) {
    const state = states[index];
    if (state === undefined || isStoreError(state) || state.after === state.before) continue;
    const { key, counting } = hit;
    if (counting.kind === 'token_bucket' && isOver(hit, state.after)) continue; // it took none
    const change = changes.get(key) ?? { key, counting, hits: [], sum: 0 };
    change.hits.push(hit);
    change.sum += state.after - state.before;
    changes.set(key, change);
  }
  return [...changes.values()].filter(({ sum }) => sum !== 0);
}
