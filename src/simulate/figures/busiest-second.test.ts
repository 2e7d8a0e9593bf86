import { describe, expect, it } from 'vitest';
import { BusiestSecond } from './busiest-second.ts';

function peakOf(...counts: readonly (readonly [timeMs: number, count: number])[]) {
  const busiest = new BusiestSecond();
  for (const [timeMs, count] of counts) busiest.add(timeMs, count);
  return busiest.peak;
}

describe('BusiestSecond', () => {
  it('adds up what falls into one second', () => {
    expect(peakOf([1_000, 1], [1_999, 2], [2_000, 2], [9_000, 1])).toEqual({ atMs: 1_000, count: 3 });
  });

  it('is the first of two that are equal', () => {
    expect(peakOf([5_500, 2], [7_000, 1], [7_100, 1])).toEqual({ atMs: 5_000, count: 2 });
  });

  it('is none where nothing was counted', () => {
    expect(peakOf()).toBeUndefined();
    expect(peakOf([5_500, 0])).toBeUndefined();
  });
});
