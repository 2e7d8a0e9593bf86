import { adjustCounter } from '../../src/algorithm/adjust-counter.ts';
import { countHit, endOf } from '../../src/algorithm/count-hit.ts';
import type { Counter } from '../../src/algorithm/counter.ts';
import { isDenied, runningCounts } from '../../src/algorithm/denial.ts';
import { countIn, type WindowCounter } from '../../src/algorithm/fixed-window.ts';
import { countsAt, type SlidingCounter } from '../../src/algorithm/sliding-window.ts';
import { type Bucket, missingAt } from '../../src/algorithm/token-bucket.ts';
import type { Adjustment } from '../../src/domain/adjustment.ts';
import type { Counting } from '../../src/domain/counting.ts';
import type { Hit } from '../../src/domain/hit.ts';
import { stateOf } from '../../src/store/counter-state.ts';
import type { CounterState } from '../../src/store/counter-store.ts';
import { storedKeys } from '../../src/store/redis/script-arguments.ts';
import { countUndone } from './counter-model.ts';

export type State = CounterState | 'error';

/** A server that runs the reducers of `src/algorithm/`, one hit after the other: what the script must equal. */
export class AlgorithmModel {
  readonly counters = new Map<string, Counter>();
  /** Keys that hold a list, on which no counter command works. */
  readonly lists = new Set<string>();
  /** When what each counter says will mean nothing any more, in ms since the epoch. */
  readonly ends = new Map<string, number>();
  nowMs: number;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  hit(hit: Hit): State {
    if (this.lists.has(hit.key)) return 'error';
    const old = this.counters.get(hit.key);
    const counted = countHit(old, this.nowMs, hit);
    const { counter } = counted;
    if (counter !== undefined && counter !== old) {
      this.counters.set(hit.key, counter);
      this.ends.set(hit.key, endOf(counter, this.nowMs, hit));
    }
    return stateOf(hit, counted, counter, this.nowMs);
  }

  adjust(hit: Hit, adjustment: Adjustment): State {
    if (this.lists.has(hit.key)) return 'error';
    const old = this.counters.get(hit.key);
    const adjusted = adjustCounter(old, this.nowMs, hit, adjustment);
    const { counter } = adjusted;
    if (counter === undefined) this.remove(hit.key);
    else if (counter !== old) {
      this.counters.set(hit.key, counter);
      this.ends.set(hit.key, endOf(counter, this.nowMs, hit));
    }
    return stateOf({ ...hit, cost: 0 }, adjusted, counter, this.nowMs);
  }

  group(hits: readonly Hit[]): { readonly states: readonly State[]; readonly counted: boolean } {
    const running = runningCounts(hits, this.nowMs, ({ key }) => this.counters.get(key));
    const isList = (index: number) => this.lists.has((hits[index] as Hit).key);
    const counts = running.map((counted, index) => (isList(index) ? undefined : counted));
    if (!isDenied(hits, counts)) return { states: hits.map((hit) => this.hit(hit)), counted: true };
    const states = running.map((counted, index) => {
      const hit = hits[index] as Hit;
      return isList(index) ? 'error' : stateOf(hit, counted, this.counters.get(hit.key), this.nowMs);
    });
    return { states, counted: false };
  }

  /** The same for a request that another node denies: what the group counted here is undone. */
  groupDeniedElsewhere(hits: readonly Hit[]): readonly State[] {
    const before = new Map(this.counters);
    const { states, counted } = this.group(hits);
    if (counted) for (const { key, counting } of hits) this.#restore(key, before.get(key), counting);
    return states;
  }

  /** One of the keys of a counter is gone. */
  expired(key: string, stored: string): void {
    const counter = this.counters.get(key);
    if (stored === key || counter === undefined) this.remove(key);
    else this.counters.set(key, { ...counter, [stored.endsWith('0') ? 'even' : 'odd']: undefined });
  }

  /** The keys of a counter, and when what each of them says will mean nothing any more. */
  endsOf({ key, counting }: Pick<Hit, 'key' | 'counting'>): readonly (readonly [string, number])[] {
    const counter = this.counters.get(key);
    if (counter === undefined) return [];
    const stored = storedKeys({ key, counting });
    if (counting.kind !== 'sliding_window') return [[key, this.ends.get(key) ?? 0]];
    const { even, odd } = counter as SlidingCounter;
    return [even, odd].map((half, index) => {
      const end = ((half?.window ?? 0) + 2) * counting.windowSeconds * 1000;
      return [stored[index] as string, half?.count === 0 ? 0 : end];
    });
  }

  /** Undoes a cost in the window in which it was counted. */
  compensate(hit: Hit, lowest: number, window: number): void {
    const { key } = hit;
    const counter = this.counters.get(key);
    if (counter === undefined || this.lists.has(key)) return;
    const undone = this.#compensated(counter, hit, lowest, window);
    this.counters.set(key, undone);
    // A bucket that is full sooner may go sooner.
    if (undone !== counter && hit.counting.kind === 'token_bucket') {
      this.ends.set(key, endOf(undone, this.nowMs, hit));
    }
  }

  remove(key: string): void {
    this.counters.delete(key);
    this.lists.delete(key);
    this.ends.delete(key);
  }

  #compensated(counter: Counter, { counting, cost }: Hit, lowest: number, window: number): Counter {
    switch (counting.kind) {
      case 'fixed_window':
      case 'calendar_window': {
        const fixed = counter as WindowCounter;
        return fixed.window === window ? { window, count: countUndone(fixed.count, cost, lowest) } : fixed;
      }
      case 'sliding_window': {
        const sliding = counter as SlidingCounter;
        const parity = window % 2 === 0 ? 'even' : 'odd';
        const old = sliding[parity];
        if (old?.window !== window) return sliding;
        return { ...sliding, [parity]: { window, count: countUndone(old.count, cost, lowest) } };
      }
      case 'token_bucket': {
        const missing = missingAt(counter as Bucket, this.nowMs, counting);
        const { burst, unitsPerToken } = counting;
        const left = Math.min(Math.max(missing + cost * unitsPerToken, 0), burst * unitsPerToken);
        return missing === 0 || left === missing ? counter : { atMs: this.nowMs, missing: left };
      }
    }
  }

  /** A counter that was moved to the present window, or was not there, stays there, with what was in it before. */
  #restore(key: string, before: Counter | undefined, counting: Counting): void {
    const after = this.counters.get(key);
    if (after === undefined || after === before) return;
    const { nowMs } = this;
    if (counting.kind === 'token_bucket') {
      const missing = missingAt(before as Bucket | undefined, nowMs, counting);
      this.counters.set(key, { atMs: nowMs, missing });
    } else if (counting.kind === 'sliding_window') {
      const counts = countsAt(before as SlidingCounter | undefined, nowMs, counting.windowSeconds);
      const parity = counts.window % 2 === 0 ? 'even' : 'odd';
      const count = { window: counts.window, count: counts.current };
      this.counters.set(key, { ...(after as SlidingCounter), [parity]: count });
    } else {
      const { window } = after as WindowCounter;
      this.counters.set(key, { window, count: countIn(before as WindowCounter | undefined, window) });
    }
  }
}
