import type { Counted } from './counted.ts';

/**
 * Counting in windows that begin at 0: the specification. The memory store runs it, and `lua/fixed_window.lua` must equal it
 * (`test/property/fixed-window.test.ts`).
 *
 * Fixed windows are aligned to the Unix epoch, so that every node and replica agrees on them. A counter carries the window
 * it belongs to; that alone decides whether its count means anything, not when somebody gets round to deleting it.
 */

/** A counter as it is stored. */
export interface WindowCounter {
  /** See {@link windowAt}. */
  readonly window: number;
  /** {@link minCount} to {@link maxCount}. Below 0 only by a grant: then more is left than the limit allows. */
  readonly count: number;
}

/** Counts stop here: above every limit, so a counter that stands here denies, and no cost can make it overflow. */
export const maxCount = 2 ** 32;

/** Grants stop here: the most that a request can take is then still below 0. */
export const minCount = -(2 ** 32 - 1);

/** Index of the window that this moment is in, counted from the epoch. */
export function windowAt(nowMs: number, windowSeconds: number): number {
  return Math.floor(nowMs / (windowSeconds * 1000));
}

/** Time left in that window: more than 0, at most its length. */
export function msUntilEnd(nowMs: number, windowSeconds: number): number {
  const windowMs = windowSeconds * 1000;
  return windowMs - (nowMs % windowMs);
}

/** A counter of another window, earlier or later, counts as 0. */
export function countIn(counter: WindowCounter | undefined, window: number): number {
  return counter !== undefined && counter.window === window ? counter.count : 0;
}

/** The count after a cost was taken (positive) or given back (negative). Giving back stops at 0, or where a grant has left it. */
export function countAfter(before: number, cost: number): number {
  return Math.min(Math.max(before + cost, Math.min(before, 0)), maxCount);
}

/** One operation on one counter. Only taking creates a counter, or moves it to another window. */
export function applyCost(
  counter: WindowCounter | undefined,
  window: number,
  cost: number,
): Counted<WindowCounter> {
  const before = countIn(counter, window);
  const after = countAfter(before, cost);
  const unchanged = cost <= 0 && after === before;
  return { counter: unchanged ? counter : { window, count: after }, before, after };
}

/** Gives so many hits beyond what was used of the limit, until the window ends. */
export function grant(
  counter: WindowCounter | undefined,
  window: number,
  { hits, limit }: { readonly hits: number; readonly limit: number },
): Counted<WindowCounter> {
  const before = countIn(counter, window);
  const after = Math.max(Math.min(before, limit) - hits, minCount);
  return { counter: { window, count: after }, before, after };
}
