import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MostFrequent } from './most-frequent.ts';

function counted(keys: readonly string[], capacity: number): MostFrequent<string> {
  const subjects = new MostFrequent<string>(capacity);
  for (const key of keys) subjects.add(key, () => `about ${key}`);
  return subjects;
}

describe('MostFrequent', () => {
  it('is exact while keys are few, most frequent first', () => {
    const subjects = counted(['a', 'b', 'b', 'c', 'b', 'c'], 10);
    expect(subjects.uncertainty).toBe(0);
    expect(subjects.top(2)).toEqual([
      { about: 'about b', count: 3 },
      { about: 'about c', count: 2 },
    ]);
  });

  it('of many keys never counts too much, never too little by more than it says, and misses none above that', () => {
    const keys = fc.array(
      fc.nat(30).map((n) => `k${Math.floor((n * n) / 30)}`),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 8 }), (keys, capacity) => {
        const exact = new Map<string, number>();
        for (const key of keys) exact.set(`about ${key}`, (exact.get(`about ${key}`) ?? 0) + 1);
        const subjects = counted(keys, capacity);
        const found = subjects.top(Number.POSITIVE_INFINITY);
        expect(found.length).toBeLessThan(2 * capacity);
        // Each cut takes at least `capacity + 1` times what the bound grows by.
        expect(subjects.uncertainty * (capacity + 1)).toBeLessThanOrEqual(keys.length);
        for (const { about, count } of found) {
          expect(count).toBeLessThanOrEqual(exact.get(about) ?? 0);
          expect(count + subjects.uncertainty).toBeGreaterThanOrEqual(exact.get(about) ?? 0);
        }
        for (const [about, count] of exact) {
          if (count > subjects.uncertainty) expect(found.map((one) => one.about)).toContain(about);
        }
      }),
    );
  });
});
