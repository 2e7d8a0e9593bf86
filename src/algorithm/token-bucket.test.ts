import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TokenBucket, tokenBucket } from '../domain/counting.ts';
import { applyCost, type Bucket, missingAt, msUntilFull, msUntilTokens } from './token-bucket.ts';

const bucketOf = (tokens: number, windowSeconds: number, burst: number) =>
  tokenBucket(tokens, windowSeconds, burst) as TokenBucket;
const tenPerMinute = bucketOf(10, 60, 10);
const start = 1_800_000_000_000;

function takeOnes(stored: Bucket | undefined, nowMs: number, hits: number, counting: TokenBucket) {
  let bucket = stored;
  let passed = 0;
  for (let hit = 0; hit < hits; hit += 1) {
    const counted = applyCost(bucket, nowMs, counting, 1);
    if (counted.after > counting.burst) continue;
    passed += 1;
    bucket = counted.counter;
  }
  return { bucket, passed };
}

describe('a bucket of tokens', () => {
  it('N11: is empty after its burst, and a fifth of a second brings no token', () => {
    const before = takeOnes(undefined, start - 100, 10, tenPerMinute);
    const after = takeOnes(before.bucket, start + 100, 10, tenPerMinute);
    expect([before.passed, after.passed]).toEqual([10, 0]);
  });

  it.each([
    [5_999, 0],
    [6_000, 1],
    [30_000, 5],
    [60_000, 10],
    [3_600_000, 10],
  ])('%i ms after it was emptied it has %i tokens', (later, tokens) => {
    const { bucket } = takeOnes(undefined, start, 10, tenPerMinute);
    expect(takeOnes(bucket, start + later, 20, tenPerMinute).passed).toBe(tokens);
  });

  it('a hit that is over takes nothing', () => {
    const { bucket } = takeOnes(undefined, start, 8, tenPerMinute);
    const over = applyCost(bucket, start, tenPerMinute, 3);
    expect(over).toMatchObject({ before: 8, after: 11 });
    expect(over.counter).toBe(bucket);
    expect(applyCost(bucket, start, tenPerMinute, 2).after).toBe(10);
  });

  it('what is given back is there again, and no bucket holds more than its burst', () => {
    const { bucket } = takeOnes(undefined, start, 8, tenPerMinute);
    expect(applyCost(bucket, start, tenPerMinute, -3)).toMatchObject({ before: 8, after: 5 });
    expect(applyCost(bucket, start, tenPerMinute, -100)).toMatchObject({ before: 8, after: 0 });
    expect(applyCost(undefined, start, tenPerMinute, -1).counter).toBeUndefined();
  });

  it('a clock that steps back finds it empty for a while, and never more than full', () => {
    const { bucket } = takeOnes(undefined, start, 10, tenPerMinute);
    expect(applyCost(bucket, start - 30_000, tenPerMinute, 1)).toMatchObject({ before: 10, after: 11 });
    expect(applyCost(bucket, start - 86_400_000, tenPerMinute, 1)).toMatchObject({ before: 0, after: 1 });
  });

  it('a bucket of nothing denies', () => {
    expect(applyCost(undefined, start, bucketOf(0, 60, 0), 1)).toMatchObject({ before: 0, after: 1 });
  });

  it('lets exactly its rate through, whatever it is, for as long as one likes', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 2, max: 40 }), // with room for one it would often be full, and what flows in then is lost
      (tokens, windowSeconds, burst) => {
        const counting = bucketOf(tokens, windowSeconds, burst);
        let bucket: Bucket | undefined;
        let passed = 0;
        const steps = 400;
        const stepMs = Math.ceil((windowSeconds * 1000) / tokens / 3);
        for (let step = 0; step <= steps; step += 1) {
          const taken = takeOnes(bucket, start + step * stepMs, burst + 1, counting);
          bucket = taken.bucket;
          passed += taken.passed;
        }
        const flowed = Math.floor((steps * stepMs * tokens) / (windowSeconds * 1000));
        expect(passed).toBe(burst + flowed);
      },
    );
    fc.assert(property, { numRuns: 100 });
  });
});

describe('when a bucket resets', () => {
  const anyBucket = fc.record({
    tokens: fc.integer({ min: 1, max: 1_000 }),
    windowSeconds: fc.constantFrom(1, 7, 60, 3_600),
    burst: fc.integer({ min: 1, max: 50 }),
    taken: fc.integer({ min: 0, max: 50 }),
    cost: fc.integer({ min: 1, max: 50 }),
    laterMs: fc.integer({ min: 0, max: 10_000 }),
  });

  it('is the first moment at which there are tokens for the hit; else the first at which it is full', () => {
    const property = fc.property(anyBucket, ({ tokens, windowSeconds, burst, taken, cost, laterMs }) => {
      fc.pre(taken <= burst && cost <= burst);
      const counting = bucketOf(tokens, windowSeconds, burst);
      const bucket = applyCost(undefined, start, counting, taken).counter;
      const now = start + laterMs;
      const untilTokens = msUntilTokens(bucket, now, counting, cost);
      expect(applyCost(bucket, now + untilTokens, counting, cost).after).toBeLessThanOrEqual(burst);
      if (untilTokens > 0)
        expect(applyCost(bucket, now + untilTokens - 1, counting, cost).after).toBeGreaterThan(burst);
      const untilFull = msUntilFull(bucket, now, counting);
      expect(missingAt(bucket, now + untilFull, counting)).toBe(0);
      if (untilFull > 0) expect(missingAt(bucket, now + untilFull - 1, counting)).toBeGreaterThan(0);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

it.each([
  [10, 60, 10, { unitsPerToken: 6_000, unitsPerMs: 1 }],
  [1_000, 1, 50, { unitsPerToken: 1, unitsPerMs: 1 }],
  [7, 60, 7, { unitsPerToken: 60_000, unitsPerMs: 7 }],
  [5_001, 86_400, 5_001, { unitsPerToken: 28_800_000, unitsPerMs: 1_667 }],
  [0, 60, 0, { unitsPerToken: 1, unitsPerMs: 0 }],
  [999_983, 31_536_000, 999_983, undefined],
])('%i tokens in %i s with a burst of %i count in whole units', (tokens, windowSeconds, burst, units) => {
  const counting = tokenBucket(tokens, windowSeconds, burst);
  if (units === undefined) expect(counting).toBeUndefined();
  else expect(counting).toMatchObject(units);
});
