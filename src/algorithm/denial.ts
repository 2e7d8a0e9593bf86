import type { Hit } from '../domain/hit.ts';
import { countHit } from './count-hit.ts';
import type { Counted } from './counted.ts';
import type { Counter } from './counter.ts';

/** Giving back is never over. */
export function isOver(hit: Hit, after: number): boolean {
  return hit.cost >= 0 && after > hit.limit;
}

/**
 * Whether a request is denied by its hits: one that denies always is over, or all that deny together are. undefined
 * stands for a counter that could not be read: it is not known to be over, so it denies nothing.
 */
export function isDenied(
  hits: readonly Hit[],
  counts: readonly ({ readonly after: number } | undefined)[],
): boolean {
  let together = 0;
  let togetherOver = 0;
  let isMemberOver = false;
  for (const [index, hit] of hits.entries()) {
    const count = counts[index];
    const over = count !== undefined && isOver(hit, count.after);
    if (over && hit.denies === 'always') return true;
    if (hit.denies === 'together') {
      together += 1;
      isMemberOver = false;
    } else if (hit.denies !== 'with-previous') continue;
    if (over && !isMemberOver) {
      togetherOver += 1;
      isMemberOver = true;
    }
  }
  return together > 0 && togetherOver === together;
}

/** What each hit would find and leave if all were done in order: equal keys see those before them. */
export function runningCounts(
  hits: readonly Hit[],
  nowMs: number,
  read: (hit: Hit) => Counter | undefined,
): Counted<Counter>[] {
  const counters = new Map<string, Counter | undefined>();
  return hits.map((hit) => {
    const found = counters.has(hit.key) ? counters.get(hit.key) : read(hit);
    const counted = countHit(found, nowMs, hit);
    counters.set(hit.key, counted.counter);
    return counted;
  });
}
