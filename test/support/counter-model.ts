import { isDenied } from '../../src/algorithm/denial.ts';
import {
  applyCost,
  type WindowCounter as Counter,
  countIn,
  grant,
  windowAt,
} from '../../src/algorithm/fixed-window.ts';
import type { Adjustment } from '../../src/domain/adjustment.ts';
import type { Hit } from '../../src/domain/hit.ts';

/** What stands in Redis under a key: a counter, something else, or a list, on which no counter command works. */
export type Stored = Counter | { readonly text: string } | 'list';

/** Counts around one hit, or that it got an error. */
export type Counts = { readonly before: number; readonly after: number } | 'error';

const windowLimit = 2 ** 20;
const maxCount = 2n ** 32n;

/**
 * Redis and the script as a few lines that can be read at one go: what the script must equal. It runs the reducers of
 * `src/algorithm/` one hit after the other, and knows the form of a stored value from its description alone.
 */
export class CounterModel {
  readonly stored = new Map<string, Stored>();
  /** When the window of a counter that the script began will end, in ms since the epoch. */
  readonly ends = new Map<string, number>();
  nowMs: number;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Somebody else writes a text under the key. */
  seed(key: string, text: string): void {
    this.stored.set(key, counterOfText(text) ?? { text });
    this.ends.delete(key);
  }

  hit(hit: Hit): Counts {
    const stored = this.stored.get(hit.key);
    if (stored === 'list') return 'error';
    const old = asCounter(stored);
    const { counter, before, after } = applyCost(old, this.window(secondsOf(hit)), hit.cost);
    if (counter !== undefined && counter !== old) {
      this.stored.set(hit.key, counter);
      if (old?.window !== counter.window) this.ends.set(hit.key, this.#windowEnd(secondsOf(hit)));
    }
    return { before, after };
  }

  adjust(hit: Hit, adjustment: Adjustment): Counts {
    const stored = this.stored.get(hit.key);
    if (stored === 'list') return 'error';
    const window = this.window(secondsOf(hit));
    const old = asCounter(stored);
    if (adjustment.kind === 'reset') {
      this.remove(hit.key);
      return { before: countIn(old, window), after: 0 };
    }
    const { counter, before, after } = grant(old, window, { hits: adjustment.hits, limit: hit.limit });
    if (counter !== undefined) this.stored.set(hit.key, counter);
    if (old?.window !== window) this.ends.set(hit.key, this.#windowEnd(secondsOf(hit)));
    return { before, after };
  }

  group(hits: readonly Hit[]): { readonly counts: readonly Counts[]; readonly counted: boolean } {
    const trial = new CounterModel(this.nowMs);
    for (const [key, stored] of this.stored) trial.stored.set(key, stored);
    const counts = hits.map((hit) => trial.hit(hit));
    const denied = isDenied(
      hits,
      counts.map((one) => (one === 'error' ? undefined : one)),
    );
    if (!denied) for (const hit of hits) this.hit(hit);
    return { counts, counted: !denied };
  }

  /** The same for a request that another node denies: what the group counted here is undone, in its window. */
  groupDeniedElsewhere(hits: readonly Hit[]): readonly Counts[] {
    const before = new Map(this.stored);
    const { counts, counted } = this.group(hits);
    if (!counted) return counts;
    for (const hit of hits) {
      const { key } = hit;
      const stored = asCounter(this.stored.get(key));
      const window = this.window(secondsOf(hit));
      if (stored?.window !== window) continue;
      this.stored.set(key, { window, count: countIn(asCounter(before.get(key)), window) });
    }
    return counts;
  }

  /** The key is gone. */
  remove(key: string): void {
    this.stored.delete(key);
    this.ends.delete(key);
  }

  /** Undoes a cost in one window, given modulo 2^20. */
  compensate(key: string, { cost, lowest }: { cost: number; lowest: number }, window: number): void {
    const stored = this.stored.get(key);
    if (stored === undefined || stored === 'list' || 'text' in stored || stored.window !== window) return;
    this.stored.set(key, { window, count: countUndone(stored.count, cost, lowest) });
  }

  window(windowSeconds: number): number {
    return windowAt(this.nowMs, windowSeconds) % windowLimit;
  }

  #windowEnd(windowSeconds: number): number {
    return (windowAt(this.nowMs, windowSeconds) + 1) * windowSeconds * 1000;
  }
}

function secondsOf({ counting }: Hit): number {
  if (counting.kind !== 'fixed_window') throw new Error('this model knows fixed windows only');
  return counting.windowSeconds;
}

/** A value that is not a counter is like one of another window. */
const foreign: Counter = Object.freeze({ window: -1, count: 0 });

function asCounter(stored: Stored | undefined): Counter | undefined {
  if (stored === undefined || stored === 'list') return undefined;
  return 'text' in stored ? foreign : stored;
}

/** What is left when a cost is undone: no less than was found, or than 0; unless something was granted since. */
export function countUndone(count: number, cost: number, lowest: number): number {
  const least = count < lowest ? -(2 ** 32 - 1) : lowest;
  return Math.min(Math.max(count + cost, least), 2 ** 32);
}

/** The text of a counter: (window modulo 2^20) x 2^33 + count. */
export function textOfCounter({ window, count }: Counter): string {
  return String(BigInt(window) * 2n ** 33n + BigInt(count));
}

function counterOfText(text: string): Counter | undefined {
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return undefined;
  const value = BigInt(text);
  if (value >= 2n ** 53n || value <= -maxCount) return undefined;
  const rest = BigInt.asUintN(33, value);
  const count = rest > maxCount ? rest - 2n ** 33n : rest;
  return { window: Number((value - count) / 2n ** 33n), count: Number(count) };
}
