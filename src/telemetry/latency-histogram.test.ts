import { describe, expect, it } from 'vitest';
import { LatencyHistogram } from './latency-histogram.ts';

function read(histogram: LatencyHistogram): Record<string, number> {
  return Object.fromEntries(
    [...histogram.samples('t', { node: 'a' })].map(({ metricName, labels, value }) => [
      `${metricName} ${labels['le'] ?? ''}`.trim(),
      value,
    ]),
  );
}

describe('LatencyHistogram', () => {
  it('counts each value in its bucket and in all above', () => {
    const histogram = new LatencyHistogram([1, 2, 4]);
    for (const value of [0.5, 1, 1.5, 4, 9]) histogram.observe(value);
    expect(read(histogram)).toEqual({
      't_bucket 1': 2,
      't_bucket 2': 3,
      't_bucket 4': 4,
      't_bucket +Inf': 5,
      t_sum: 16,
      t_count: 5,
    });
    expect(histogram.count).toBe(5);
  });

  it('is there, with zeros, before the first value', () => {
    expect(read(new LatencyHistogram([1]))).toEqual({
      't_bucket 1': 0,
      't_bucket +Inf': 0,
      t_sum: 0,
      t_count: 0,
    });
  });
});
