import type { Adjustment } from '../domain/adjustment.ts';
import type { Hit } from '../domain/hit.ts';
import { countHit, windowNumber } from './count-hit.ts';
import type { Counted } from './counted.ts';
import type { Counter } from './counter.ts';
import * as fixedWindow from './fixed-window.ts';
import * as slidingWindow from './sliding-window.ts';
import * as tokenBucket from './token-bucket.ts';

/**
 * Does what a person wants done to a hit's counter: the specification that `lua/adjust_counter.lua` equals. The hit's cost is
 * of no interest. A counter that was reset is undefined.
 */
export function adjustCounter(
  counter: Counter | undefined,
  nowMs: number,
  hit: Hit,
  adjustment: Adjustment,
): Counted<Counter> {
  if (adjustment.kind === 'grant') return grant(counter, nowMs, hit, adjustment.hits);
  const { before } = countHit(counter, nowMs, { ...hit, cost: 0 });
  return { counter: undefined, before, after: 0 };
}

function grant(
  counter: Counter | undefined,
  nowMs: number,
  { counting, limit }: Hit,
  hits: number,
): Counted<Counter> {
  switch (counting.kind) {
    case 'fixed_window':
    case 'calendar_window': {
      const window = windowNumber(counting, nowMs);
      return fixedWindow.grant(counter as fixedWindow.WindowCounter | undefined, window, { hits, limit });
    }
    case 'sliding_window': {
      const sliding = counter as slidingWindow.SlidingCounter | undefined;
      return slidingWindow.grant(sliding, nowMs, counting.windowSeconds, { hits, limit });
    }
    case 'token_bucket':
      return tokenBucket.applyCost(counter as tokenBucket.Bucket | undefined, nowMs, counting, -hits);
  }
}
