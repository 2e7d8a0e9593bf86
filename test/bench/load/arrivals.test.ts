import { describe, expect, it } from 'vitest';
import { poissonArrivals } from './arrivals.ts';

const rate = 5_000;
const count = 100_000;

function gapsOf(seed: number): number[] {
  const next = poissonArrivals(rate, seed);
  let last = 0;
  return Array.from({ length: count }, () => {
    const moment = next();
    const gap = moment - last;
    last = moment;
    return gap;
  });
}

describe('arrivals', () => {
  const gaps = gapsOf(1);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / count;

  it('come as often as asked for', () => {
    expect(mean / (1000 / rate)).toBeCloseTo(1, 1.5);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
  });

  it('have exponential gaps: these spread as much as their mean, and exceed it with a chance of 1/e', () => {
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / count);
    expect(deviation / mean).toBeCloseTo(1, 1.5);
    expect(gaps.filter((gap) => gap > mean).length / count).toBeCloseTo(1 / Math.E, 2);
  });

  it('are the same with the same seed, and others with another', () => {
    expect(gapsOf(1)).toEqual(gaps);
    expect(gapsOf(2)).not.toEqual(gaps);
  });
});
