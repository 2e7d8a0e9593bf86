import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyCost,
  countsAt,
  msUntilFree,
  msUntilWithin,
  type SlidingCounter,
  slidingCounter,
} from './sliding-window.ts';

const minute = 60;
const minuteMs = 60_000;
/** The beginning of a window of a minute. */
const start = 30_000_000 * minuteMs;

/** Takes one after the other, each only where it is within the limit; how many were. */
function takeUpTo(stored: SlidingCounter | undefined, nowMs: number, hits: number, limit: number) {
  let counter = stored;
  let passed = 0;
  for (let hit = 0; hit < hits; hit += 1) {
    const counted = applyCost(counter, nowMs, minute, 1);
    if (counted.after > limit) continue;
    passed += 1;
    counter = counted.counter;
  }
  return { counter, passed };
}

describe('a window that slides', () => {
  it('N11: lets no second burst through at the edge of a minute', () => {
    const before = takeUpTo(undefined, start - 100, 10, 10);
    const after = takeUpTo(before.counter, start + 100, 10, 10);
    expect([before.passed, after.passed]).toEqual([10, 0]);
  });

  it.each([
    ['at the edge', 0, 10, 0],
    ['a tenth of the minute later', 6_000, 9, 1],
    ['half of it later', 30_000, 5, 5],
    ['just before its end', 59_999, 1, 9],
    ['a window later', 60_000, 0, 10],
  ])('%s, 10 hits of the window before weigh so much that others pass', (_, later, used, passed) => {
    const { counter } = takeUpTo(undefined, start - 100, 10, 10);
    expect(applyCost(counter, start + later, minute, 0).before).toBe(used);
    expect(takeUpTo(counter, start + later, 20, 10).passed).toBe(passed);
  });

  it('gives back what came last, first of all', () => {
    const stored = slidingCounter({ window: 30_000_000, current: 3, previous: 10 });
    const now = start + 30_000;
    expect(applyCost(stored, now, minute, 0).before).toBe(8);
    const counted = applyCost(stored, now, minute, -5);
    expect(counted.after).toBe(4);
    expect(countsAt(counted.counter, now, minute)).toMatchObject({ current: 0, previous: 8 });
  });

  it('giving back to nothing, and looking, leave what is stored as it is', () => {
    expect(applyCost(undefined, start, minute, -5).counter).toBeUndefined();
    const stored = slidingCounter({ window: 30_000_000, current: 3, previous: 0 });
    expect(applyCost(stored, start, minute, 0).counter).toBe(stored);
  });

  it('counts stop at 2^32', () => {
    const stored = slidingCounter({ window: 30_000_000, current: 2 ** 32, previous: 2 ** 32 });
    expect(applyCost(stored, start, minute, 2 ** 32 - 1)).toMatchObject({ before: 2 ** 32, after: 2 ** 32 });
  });

  it('a clock that steps back finds what was counted then', () => {
    const earlier = applyCost(undefined, start - 1, minute, 4).counter;
    const later = applyCost(earlier, start, minute, 2).counter;
    expect(applyCost(later, start - 1, minute, 0).before).toBe(4);
  });
});

describe('when a limit resets', () => {
  const anyState = fc.record({
    current: fc.integer({ min: 0, max: 50 }),
    previous: fc.integer({ min: 0, max: 50 }),
    limit: fc.integer({ min: 1, max: 40 }),
    cost: fc.integer({ min: 1, max: 40 }),
    elapsed: fc.integer({ min: 0, max: minuteMs - 1 }),
  });

  it('is the first moment at which the hit is within the limit, not one earlier', () => {
    const property = fc.property(anyState, ({ current, previous, limit, cost, elapsed }) => {
      const now = start + elapsed;
      const stored = slidingCounter({ window: 30_000_000, current, previous });
      fc.pre(cost <= limit && applyCost(stored, now, minute, cost).after > limit);
      const wait = msUntilWithin(stored, now, minute, { cost, limit });
      expect(applyCost(stored, now + wait, minute, cost).after).toBeLessThanOrEqual(limit);
      expect(applyCost(stored, now + wait - 1, minute, cost).after).toBeGreaterThan(limit);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it('is the first moment at which nothing is used, for hits that are within', () => {
    const property = fc.property(anyState, ({ current, previous, elapsed }) => {
      const now = start + elapsed;
      const stored = slidingCounter({ window: 30_000_000, current, previous });
      const wait = msUntilFree(stored, now, minute);
      expect(applyCost(stored, now + wait, minute, 0).before).toBe(0);
      if (wait > 0) expect(applyCost(stored, now + wait - 1, minute, 0).before).toBeGreaterThan(0);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it('is when all is free, for a hit that never can be within', () => {
    const stored = slidingCounter({ window: 30_000_000, current: 1, previous: 0 });
    expect(msUntilWithin(stored, start + 15_000, minute, { cost: 11, limit: 10 })).toBe(105_000);
  });
});
