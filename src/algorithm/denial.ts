import type { Hit } from '../domain/hit.ts';
import { countAfter } from './fixed-window.ts';

/** Counts around a hit. */
export interface Counts {
  readonly before: number;
  readonly after: number;
}

/** Giving back is never over. */
export function isOver(hit: Hit, after: number): boolean {
  return hit.cost >= 0 && after > hit.limit;
}

/**
 * Whether a request is denied by its hits: one that denies always is over, or all that deny together are. undefined
 * stands for a counter that could not be read: it is not known to be over, so it denies nothing.
 */
export function isDenied(hits: readonly Hit[], counts: readonly (Counts | undefined)[]): boolean {
  let together = 0;
  let togetherOver = 0;
  for (const [index, hit] of hits.entries()) {
    const count = counts[index];
    const over = count !== undefined && isOver(hit, count.after);
    if (over && hit.denies === 'always') return true;
    if (hit.denies === 'together') {
      together += 1;
      if (over) togetherOver += 1;
    }
  }
  return together > 0 && togetherOver === together;
}

/** Counts around each hit if all were done in order: equal keys see those before them. */
export function runningCounts(hits: readonly Hit[], read: (hit: Hit) => number): Counts[] {
  const counts = new Map<string, number>();
  return hits.map((hit) => {
    const before = counts.get(hit.key) ?? read(hit);
    const after = countAfter(before, hit.cost);
    counts.set(hit.key, after);
    return { before, after };
  });
}
