import fc from 'fast-check';
import { expect, it } from 'vitest';
import { productOver } from './product-over.ts';

const maxCount = 2 ** 32;
const yearMs = 31_536_000_000;

it.each([
  [0, 5, 7, 0, 0],
  [10, 59_900, 60_000, 10, 9],
  [10, 60_000, 60_000, 10, 10],
  [1, 1, 60_000, 1, 0],
  [maxCount, yearMs, yearMs, maxCount, maxCount],
  [maxCount, yearMs - 1, yearMs, maxCount, maxCount - 1],
])('%i * %i / %i is %i rounded up and %i rounded down', (a, b, c, up, down) => {
  expect([productOver(a, b, c, 'up'), productOver(a, b, c, 'down')]).toEqual([up, down]);
});

it('is what whole numbers of any size give', () => {
  const property = fc.property(
    fc.integer({ min: 0, max: maxCount }),
    fc.integer({ min: 0, max: yearMs }),
    fc.integer({ min: 1, max: yearMs }),
    (a, b, c) => {
      fc.pre(BigInt(a) * BigInt(b) < BigInt(c) * 2n ** 48n);
      const exact = (BigInt(a) * BigInt(b)) / BigInt(c);
      const isWhole = (BigInt(a) * BigInt(b)) % BigInt(c) === 0n;
      expect(productOver(a, b, c, 'down')).toBe(Number(exact));
      expect(productOver(a, b, c, 'up')).toBe(Number(exact) + (isWhole ? 0 : 1));
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});
