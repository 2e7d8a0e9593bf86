import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxBuckets, Timeline } from './timeline.ts';

/** Adds one at each time, and gives what is in the buckets that hold something, by when they begin. */
function countsOf(times: readonly number[]): { timeline: Timeline; counts: Record<number, number> } {
  const timeline = new Timeline();
  const series = timeline.addSeries();
  for (const time of times) {
    const bucket = timeline.bucketAt(time);
    series[bucket] = (series[bucket] as number) + 1;
  }
  const { startMs, bucketSeconds, buckets } = timeline.span;
  const counts: Record<number, number> = {};
  for (let bucket = 0; bucket < buckets; bucket++) {
    const count = series[bucket] as number;
    if (count > 0) counts[startMs + bucket * bucketSeconds * 1_000] = count;
  }
  return { timeline, counts };
}

describe('Timeline', () => {
  it.each([
    [0, 1, 1],
    [239, 1, 240],
    [240, 5, 49],
    [1_199, 5, 240],
    [1_200, 10, 121],
    [86_400, 600, 145],
    [86_400 * 365, 86_400 * 2, 183],
  ])('%i s after the first second its buckets are of %i s, %i of them', (seconds, bucketSeconds, buckets) => {
    const { timeline } = countsOf([0, seconds * 1_000]);
    expect(timeline.span).toEqual({ startMs: 0, bucketSeconds, buckets });
  });

  it('loses and misplaces nothing when buckets are joined', () => {
    const gaps = fc.array(fc.oneof(fc.nat(900), fc.nat(90_000), fc.nat(9_000_000)), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.nat(2_000_000_000), gaps, (start, gaps) => {
        let time = start * 1_000;
        const times = gaps.map((gap) => {
          time += gap;
          return time;
        });
        const { timeline, counts } = countsOf(times);
        const widthMs = timeline.span.bucketSeconds * 1_000;
        const naive: Record<number, number> = {};
        for (const each of times) {
          const begin = Math.floor(each / widthMs) * widthMs;
          naive[begin] = (naive[begin] ?? 0) + 1;
        }
        expect(counts).toEqual(naive);
        expect(timeline.span.buckets).toBeLessThanOrEqual(maxBuckets);
        expect(timeline.span.startMs).toBe(Math.floor((times[0] ?? 0) / widthMs) * widthMs);
      }),
    );
  });
});
