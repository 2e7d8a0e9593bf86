import { expect, it } from 'vitest';
import { createBackoff } from './backoff.ts';

const exact = { connectRetryMs: 3_000, initialMs: 10_000, maxMs: 60_000, jitter: 0 };

it('doubles the time after each stream that ended, up to the longest, and begins anew when all is well', () => {
  const backoff = createBackoff(exact);
  const times = Array.from({ length: 5 }, () => backoff.afterStream());
  expect(times).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  backoff.reset();
  expect(backoff.afterStream()).toBe(10_000);
});

it('tries a server that cannot be reached at one pace', () => {
  const backoff = createBackoff(exact);
  expect([backoff.afterUnreachable(), backoff.afterUnreachable()]).toEqual([3_000, 3_000]);
});

it('never waits longer than the longest time but for the jitter', () => {
  expect(createBackoff({ ...exact, maxMs: 5_000 }).afterStream()).toBe(5_000);
});

it.each([
  [0, 5_000],
  [0.5, 10_000],
  [0.999_999, 15_000],
])('is off by at most the jitter: a random %f gives %i ms', (random, ms) => {
  const backoff = createBackoff({ ...exact, jitter: 0.5, random: () => random });
  expect(Math.round(backoff.afterStream())).toBe(ms);
});
