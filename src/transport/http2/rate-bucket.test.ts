import { expect, it } from 'vitest';
import { RateBucket } from './rate-bucket.ts';

/** How many can be taken at a time. */
function takeAll(bucket: RateBucket, now: number): number {
  let taken = 0;
  while (bucket.take(now)) taken += 1;
  return taken;
}

it('allows so many at once, and then so many in a second', () => {
  const bucket = new RateBucket(10, 4, 1_000);
  expect(takeAll(bucket, 1_000)).toBe(10);
  expect(takeAll(bucket, 1_249)).toBe(0);
  expect(takeAll(bucket, 1_250)).toBe(1);
  expect(takeAll(bucket, 2_250)).toBe(4);
  expect(takeAll(bucket, 2_499)).toBe(0);
  expect(takeAll(bucket, 2_500)).toBe(1);
});

it('never allows more at once, however long nothing was taken', () => {
  const bucket = new RateBucket(10, 4, 1_000);
  expect(takeAll(bucket, 1_000_000)).toBe(10);
  expect(takeAll(bucket, 2_000_000)).toBe(10);
  bucket.take(3_000_000);
  expect(takeAll(bucket, 4_000_000)).toBe(10);
});

it('keeps fractions', () => {
  const bucket = new RateBucket(1, 1, 0);
  expect(takeAll(bucket, 0)).toBe(1);
  for (let now = 100; now < 1_000; now += 100) expect(bucket.take(now)).toBe(false);
  expect(bucket.take(1_001)).toBe(true);
});

it('extra tokens are taken first to last, and are at most another burst', () => {
  const bucket = new RateBucket(10, 1, 0);
  for (let i = 0; i < 7; i++) bucket.add();
  expect(takeAll(bucket, 0)).toBe(17);
  for (let i = 0; i < 100; i++) bucket.add();
  expect(takeAll(bucket, 0)).toBe(20);
});

it('time takes no extra tokens away', () => {
  const bucket = new RateBucket(10, 1, 0);
  for (let i = 0; i < 5; i++) bucket.add();
  bucket.take(60_000);
  expect(takeAll(bucket, 60_000)).toBe(14);
});
