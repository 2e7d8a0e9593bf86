import { msUntilReset } from '../algorithm/count-hit.ts';
import type { Counted } from '../algorithm/counted.ts';
import type { Counter } from '../algorithm/counter.ts';
import { isOver } from '../algorithm/denial.ts';
import type { Hit } from '../domain/hit.ts';
import type { CounterState } from './counter-store.ts';

/** @param left the counter as it stands now: as the hit left it, or as it was where the hit was not carried out */
export function stateOf(
  hit: Hit,
  { before, after }: Counted<Counter>,
  left: Counter | undefined,
  nowMs: number,
): CounterState {
  return { before, after, msUntilReset: msUntilReset(left, nowMs, hit, isOver(hit, after)) };
}
