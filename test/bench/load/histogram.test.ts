import { describe, expect, it } from 'vitest';
import { seededRandom } from '../measure.ts';
import { Histogram, histogramError } from './histogram.ts';

describe('a histogram', () => {
  it('gives quantiles that are at most the promised share too large, and never too small', () => {
    const random = seededRandom(7);
    const values = Array.from({ length: 20_000 }, () => Math.round(2 ** (random() * 31)));
    const histogram = new Histogram();
    for (const value of values) histogram.record(value);
    values.sort((a, b) => a - b);
    for (const share of [0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1]) {
      const exact = values[Math.ceil(share * values.length) - 1] ?? Number.NaN;
      expect(histogram.quantile(share)).toBeGreaterThanOrEqual(exact);
      expect(histogram.quantile(share)).toBeLessThanOrEqual(exact * (1 + histogramError));
    }
  });

  it('is exact for small values, for one value, and for the largest', () => {
    const small = new Histogram();
    for (let value = 0; value < 256; value++) small.record(value);
    expect([small.quantile(0.5), small.quantile(0.25), small.max, small.count]).toEqual([127, 63, 255, 256]);
    for (const value of [256, 257, 511, 512, 65_535, 65_536, 123_456_789, 2 ** 32 - 1]) {
      const one = new Histogram();
      one.record(value);
      expect([one.quantile(0.5), one.quantile(1), one.max]).toEqual([value, value, value]);
    }
  });

  it('keeps neighbours apart at the borders of its buckets', () => {
    const histogram = new Histogram();
    for (const value of [511, 512, 1_000_000]) histogram.record(value);
    expect(histogram.quantile(1 / 3)).toBe(511);
    expect(histogram.quantile(2 / 3)).toBe(515);
  });

  it('takes fractions, what is below zero and what is too large', () => {
    const histogram = new Histogram();
    for (const value of [-1, 1.4, 2 ** 40]) histogram.record(value);
    expect([histogram.quantile(0.3), histogram.quantile(0.6), histogram.max]).toEqual([0, 1, 2 ** 32 - 1]);
  });

  it('says 0 where nothing was recorded', () => {
    const histogram = new Histogram();
    expect([histogram.quantile(0.5), histogram.max, histogram.count]).toEqual([0, 0, 0]);
  });
});
