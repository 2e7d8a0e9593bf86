import { describe, expect, it } from 'vitest';
import { fixedWindow, slidingWindow } from '../domain/counting.ts';
import type { Hit } from '../domain/hit.ts';
import { adjustCounter } from './adjust-counter.ts';
import { countHit, endOf, msUntilReset } from './count-hit.ts';
import type { Counter } from './counter.ts';

const minuteMs = 60_000;
const hit = (counting: Hit['counting'], cost = 0): Hit => {
  return { key: 'k', fingerprint: 0, counting, isPerSecond: false, cost, limit: 10, denies: 'always' };
};

describe('a grant', () => {
  it('ends with the window', () => {
    const one = hit(fixedWindow(60));
    const { counter } = adjustCounter(undefined, 0, one, { kind: 'grant', hits: 20 });
    expect(countHit(counter, minuteMs - 1, one).before).toBe(-20);
    expect(countHit(counter, minuteMs, one).before).toBe(0);
  });

  it('in a sliding window weighs nothing in the next one', () => {
    const one = hit(slidingWindow(60));
    const { counter } = adjustCounter(undefined, 0, one, { kind: 'grant', hits: 20 });
    expect(countHit(counter, minuteMs, one).before).toBe(0);
    const taken = countHit(counter, minuteMs, hit(slidingWindow(60), 3));
    expect(taken).toMatchObject({ before: 0, after: 3 });
  });

  it('in a sliding window makes up for what the window before weighs', () => {
    const one = hit(slidingWindow(60));
    const used = countHit(undefined, 0, hit(slidingWindow(60), 10)).counter;
    const half = 1.5 * minuteMs;
    expect(countHit(used, half, one).before).toBe(5);
    expect(adjustCounter(used, half, one, { kind: 'grant', hits: 8 })).toMatchObject({
      before: 5,
      after: -3,
    });
  });

  it('is there until the window resets', () => {
    const one = hit(slidingWindow(60));
    const { counter } = adjustCounter(undefined, 15_000, one, { kind: 'grant', hits: 1 });
    expect(msUntilReset(counter, 15_000, one, false)).toBe(45_000);
    expect(endOf(counter as Counter, 15_000, one)).toBe(minuteMs);
  });
});
