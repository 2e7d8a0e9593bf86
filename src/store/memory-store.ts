import { adjustCounter } from '../algorithm/adjust-counter.ts';
import { countHit, endOf } from '../algorithm/count-hit.ts';
import type { Counter } from '../algorithm/counter.ts';
import { isDenied, runningCounts } from '../algorithm/denial.ts';
import type { Adjustment } from '../domain/adjustment.ts';
import type { Clock } from '../domain/clock.ts';
import type { Hit } from '../domain/hit.ts';
import { stateOf } from './counter-state.ts';
import type { AdjustableStore, CounterState, HitResult } from './counter-store.ts';
import { CounterTable, type TableEntry } from './counter-table.ts';

export interface MemoryStoreOptions {
  readonly clock: Clock;
  /** Most counters held at once, from 1. A counter takes about 200 octets and its key. */
  readonly maxCounters: number;
  /** Called for each counter that was dropped before its window ended, because the store was full. */
  readonly onEvict?: () => void;
}

/** A counter store in this process. Replicas do not share it, and it is empty after a restart. */
export interface MemoryStore extends AdjustableStore {
  /** Counters held at present, those of past windows included. */
  readonly size: number;
}

export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { clock } = options;
  const table = new CounterTable(options.maxCounters, options.onEvict ?? (() => {}));

  const write = (hit: Hit, counter: Counter, nowMs: number, entry: TableEntry | undefined) => {
    const endsAtMs = endOf(counter, nowMs, hit);
    if (entry !== undefined) table.update(entry, counter, endsAtMs);
    else table.insert(hit.key, { counting: hit.counting, counter, endsAtMs }, nowMs);
  };

  const countOne = (hit: Hit, nowMs: number): CounterState => {
    const entry = table.get(hit.key);
    const counted = countHit(entry?.counter, nowMs, hit);
    const { counter } = counted;
    if (counter !== undefined && counter !== entry?.counter) write(hit, counter, nowMs, entry);
    return stateOf(hit, counted, counter, nowMs);
  };

  const countAll = (hits: readonly Hit[], nowMs: number): HitResult => {
    return { states: hits.map((hit) => countOne(hit, nowMs)), counted: true };
  };

  const countUnlessDenied = (hits: readonly Hit[], nowMs: number): HitResult => {
    const counts = runningCounts(hits, nowMs, ({ key }) => table.get(key)?.counter);
    if (!isDenied(hits, counts)) return countAll(hits, nowMs);
    const states = counts.map((counted, index) => {
      const hit = hits[index] as Hit;
      return stateOf(hit, counted, table.get(hit.key)?.counter, nowMs);
    });
    return { states, counted: false };
  };

  const adjust = (hit: Hit, adjustment: Adjustment, nowMs: number): CounterState => {
    const entry = table.get(hit.key);
    const adjusted = adjustCounter(entry?.counter, nowMs, hit, adjustment);
    const { counter } = adjusted;
    if (counter === undefined) table.remove(hit.key);
    else write(hit, counter, nowMs, entry);
    return stateOf({ ...hit, cost: 0 }, adjusted, counter, nowMs);
  };

  return {
    hit: (hits) => Promise.resolve(countAll(hits, clock.now())),
    hitUnlessDenied: (hits) => Promise.resolve(countUnlessDenied(hits, clock.now())),
    adjust: (hit, adjustment) => Promise.resolve(adjust(hit, adjustment, clock.now())),
    ready: Promise.resolve(),
    isConnected: () => true,
    close: () => Promise.resolve(),
    get size() {
      return table.size;
    },
  };
}
