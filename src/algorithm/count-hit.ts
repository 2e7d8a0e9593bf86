import type { Counting } from '../domain/counting.ts';
import type { Hit } from '../domain/hit.ts';
import { windowOfSpan } from './calendar-window.ts';
import type { Counted } from './counted.ts';
import type { Counter } from './counter.ts';
import * as fixedWindow from './fixed-window.ts';
import * as slidingWindow from './sliding-window.ts';
import * as tokenBucket from './token-bucket.ts';

type FixedCounter = fixedWindow.WindowCounter | undefined;
type SlidingCounter = slidingWindow.SlidingCounter | undefined;
type Bucket = tokenBucket.Bucket | undefined;

/**
 * Does one hit to its counter, by the algorithm of its limit.
 * @param counter what lies under the hit's key, which holds counters of one algorithm only
 */
export function countHit(counter: Counter | undefined, nowMs: number, hit: Hit): Counted<Counter> {
  const { counting, cost } = hit;
  switch (counting.kind) {
    case 'fixed_window':
    case 'calendar_window':
      return fixedWindow.applyCost(counter as FixedCounter, windowNumber(counting, nowMs), cost);
    case 'sliding_window':
      return slidingWindow.applyCost(counter as SlidingCounter, nowMs, counting.windowSeconds, cost);
    case 'token_bucket':
      return tokenBucket.applyCost(counter as Bucket, nowMs, counting, cost);
  }
}

/**
 * Time until the limit is as if nobody had come; for a hit that is over, until one like it is within the limit, where that can
 * be. In windows that begin at 0 both are the end of the window.
 * @param counter as the hit left it
 */
export function msUntilReset(counter: Counter | undefined, nowMs: number, hit: Hit, isOver: boolean): number {
  const { counting } = hit;
  switch (counting.kind) {
    case 'fixed_window':
      return fixedWindow.msUntilEnd(nowMs, counting.windowSeconds);
    case 'calendar_window':
      return counting.calendar.spanAt(nowMs).endMs - nowMs;
    case 'sliding_window': {
      const { windowSeconds } = counting;
      return isOver
        ? slidingWindow.msUntilWithin(counter as SlidingCounter, nowMs, windowSeconds, hit)
        : slidingWindow.msUntilFree(counter as SlidingCounter, nowMs, windowSeconds);
    }
    case 'token_bucket':
      return isOver
        ? tokenBucket.msUntilTokens(counter as Bucket, nowMs, counting, hit.cost)
        : tokenBucket.msUntilFull(counter as Bucket, nowMs, counting);
  }
}

/** What tells the present window of a limit from others; 0 where there are none. */
export function windowNumber(counting: Counting, nowMs: number): number {
  switch (counting.kind) {
    case 'fixed_window':
    case 'sliding_window':
      return fixedWindow.windowAt(nowMs, counting.windowSeconds);
    case 'calendar_window':
      return windowOfSpan(counting.calendar.spanAt(nowMs));
    case 'token_bucket':
      return 0;
  }
}

/** When a counter that was just written means nothing any more, in ms since the epoch. */
export function endOf(counter: Counter, nowMs: number, hit: Hit): number {
  const { counting } = hit;
  switch (counting.kind) {
    case 'fixed_window':
      return ((counter as fixedWindow.WindowCounter).window + 1) * counting.windowSeconds * 1000;
    case 'calendar_window':
      return counting.calendar.spanAt(nowMs).endMs;
    case 'sliding_window':
    case 'token_bucket':
      return nowMs + msUntilReset(counter, nowMs, hit, false);
  }
}
