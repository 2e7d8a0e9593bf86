import type { Counted } from './counted.ts';
import * as fixedWindow from './fixed-window.ts';
import { maxCount, minCount, type WindowCounter, windowAt } from './fixed-window.ts';
import { productOver } from './product-over.ts';

/**
 * Counting in a window that slides: the specification. The memory store runs it, and `lua/sliding_window.lua` must equal it
 * (`test/property/algorithms.test.ts`).
 *
 * Two counters stand for it, those of the present fixed window and of the one before. What was counted in the one before
 * weighs by how much of it is still inside the window that ends now, as if its hits had come evenly, rounded up. All
 * numbers are integers and every result is exact.
 */

/** A counter as it is stored: one for windows of even index, and one for those of odd. */
export interface SlidingCounter {
  readonly even: WindowCounter | undefined;
  readonly odd: WindowCounter | undefined;
}

/** Hits of the present window and of the one before, up to 2^32. */
export interface SlidingCounts {
  readonly window: number;
  /** Below 0 by a grant. */
  readonly current: number;
  readonly previous: number;
}

/** A counter that holds just this. */
export function slidingCounter({ window, current, previous }: SlidingCounts): SlidingCounter {
  const present = { window, count: current };
  const before = { window: window - 1, count: previous };
  return window % 2 === 0 ? { even: present, odd: before } : { even: before, odd: present };
}

/** The counter as it is to be read at this time. */
export function countsAt(
  counter: SlidingCounter | undefined,
  nowMs: number,
  windowSeconds: number,
): SlidingCounts {
  const window = windowAt(nowMs, windowSeconds);
  const current = fixedWindow.countIn(counterOf(counter, window), window);
  // A grant ends with its window.
  const previous = Math.max(fixedWindow.countIn(counterOf(counter, window - 1), window - 1), 0);
  return { window, current, previous };
}

/** What counts of it; up to 2^32. */
export function usedOf({ current, previous }: SlidingCounts, nowMs: number, windowSeconds: number): number {
  const windowMs = windowSeconds * 1000;
  const leftMs = fixedWindow.msUntilEnd(nowMs, windowSeconds);
  return Math.min(current + productOver(previous, leftMs, windowMs, 'up'), maxCount);
}

/**
 * One operation on one counter. Only taking creates a counter. Giving back takes from the present window first, then from the
 * one before, as if the last hits had not come.
 */
export function applyCost(
  stored: SlidingCounter | undefined,
  nowMs: number,
  windowSeconds: number,
  cost: number,
): Counted<SlidingCounter> {
  const found = countsAt(stored, nowMs, windowSeconds);
  const { window, current, previous } = found;
  const before = usedOf(found, nowMs, windowSeconds);
  const ofCurrent = Math.max(cost, -Math.max(current, 0));
  const ofPrevious = cost < 0 ? Math.max(cost - ofCurrent, -previous) : 0;
  if (ofCurrent === 0 && ofPrevious === 0) return { counter: stored, before, after: before };
  const counter = withCost(withCost(stored, window, ofCurrent), window - 1, ofPrevious);
  const after =
    cost > 0
      ? fixedWindow.countAfter(before, cost)
      : usedOf(countsAt(counter, nowMs, windowSeconds), nowMs, windowSeconds);
  return { counter, before, after };
}

/** Gives so many hits beyond what was used of the limit, until the present window ends. */
export function grant(
  stored: SlidingCounter | undefined,
  nowMs: number,
  windowSeconds: number,
  { hits, limit }: { readonly hits: number; readonly limit: number },
): Counted<SlidingCounter> {
  const found = countsAt(stored, nowMs, windowSeconds);
  const before = usedOf(found, nowMs, windowSeconds);
  const denied = Math.max(before - limit, 0);
  const current = Math.max(found.current - denied - hits, minCount);
  return {
    counter: withHalf(stored, found.window, { window: found.window, count: current }),
    before,
    after: usedOf({ ...found, current }, nowMs, windowSeconds),
  };
}

function counterOf(counter: SlidingCounter | undefined, window: number): WindowCounter | undefined {
  return window % 2 === 0 ? counter?.even : counter?.odd;
}

function withCost(counter: SlidingCounter | undefined, window: number, cost: number): SlidingCounter {
  return withHalf(counter, window, fixedWindow.applyCost(counterOf(counter, window), window, cost).counter);
}

function withHalf(
  counter: SlidingCounter | undefined,
  window: number,
  half: WindowCounter | undefined,
): SlidingCounter {
  return window % 2 === 0 ? { even: half, odd: counter?.odd } : { even: counter?.even, odd: half };
}

/** Time until nothing is used any more, and nothing is granted. */
export function msUntilFree(
  stored: SlidingCounter | undefined,
  nowMs: number,
  windowSeconds: number,
): number {
  const { current, previous } = countsAt(stored, nowMs, windowSeconds);
  const windowMs = windowSeconds * 1000;
  const leftMs = fixedWindow.msUntilEnd(nowMs, windowSeconds);
  if (current > 0) return leftMs + windowMs;
  return previous > 0 || current < 0 ? leftMs : 0;
}

/** Time until a hit of this cost is within the limit, if nobody else comes; {@link msUntilFree} when it never is. */
export function msUntilWithin(
  stored: SlidingCounter | undefined,
  nowMs: number,
  windowSeconds: number,
  { cost, limit }: { readonly cost: number; readonly limit: number },
): number {
  const { current, previous } = countsAt(stored, nowMs, windowSeconds);
  const windowMs = windowSeconds * 1000;
  const leftMs = fixedWindow.msUntilEnd(nowMs, windowSeconds);
  const room = limit - cost;
  if (room < 0) return msUntilFree(stored, nowMs, windowSeconds);
  if (current <= room) return leftMs - msFor(room - current, previous, windowMs);
  return leftMs + windowMs - msFor(room, current, windowMs);
}

/** How much of a window may be left for `previous` to weigh no more than `room`; the whole of it at most. */
function msFor(room: number, previous: number, windowMs: number): number {
  return previous <= room ? windowMs : productOver(room, windowMs, previous, 'down');
}
