import { describe, expect, it } from 'vitest';
import { hitOn } from '../../test/case/counter-store.case.ts';
import { createDenyCache } from './deny-cache.ts';

const options = { maxBytes: 10_000, lookAgainMs: 500 };

const hit = (key: string, limit: number) => hitOn(key, 1, { limit });

function overBy(after: number, msUntilReset = 60_000) {
  return { before: after - 1, after, msUntilReset };
}

describe('a counter that is over its limit', () => {
  it('is denied without the store, with what is left of its window', () => {
    const cache = createDenyCache(options);
    cache.learn(hit('k', 3), overBy(4), true, 1_000);
    expect(cache.find(hit('k', 3), 1_400)).toEqual({ before: 4, after: 4, msUntilReset: 59_600 });
  });

  it('is not denied under a larger limit that it does not exceed', () => {
    const cache = createDenyCache(options);
    cache.learn(hit('k', 3), overBy(4), true, 0);
    expect(cache.find(hit('k', 4), 100)).toBeUndefined();
    expect(cache.find(hit('k', 3), 100)).toBeDefined();
  });

  it('is forgotten when its window ends, counted from when the store was asked', () => {
    const cache = createDenyCache({ ...options, lookAgainMs: 1e9 });
    cache.learn(hit('k', 3), overBy(4, 1_000), true, 5_000);
    expect(cache.find(hit('k', 3), 5_999)).toBeDefined();
    expect(cache.find(hit('k', 3), 6_000)).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('lets one call in each interval look again, while the others stay denied', () => {
    const cache = createDenyCache(options);
    cache.learn(hit('k', 3), overBy(4), true, 0);
    expect(cache.find(hit('k', 3), 500)).toBeUndefined();
    expect(cache.find(hit('k', 3), 500)).toBeDefined();
    expect(cache.find(hit('k', 3), 999)).toBeDefined();
    expect(cache.find(hit('k', 3), 1_000)).toBeUndefined();
  });

  it('is not denied once the store knows better', () => {
    const cache = createDenyCache(options);
    cache.learn(hit('k', 3), overBy(4), true, 0);
    cache.learn(hit('k', 3), overBy(2), true, 600);
    expect(cache.find(hit('k', 3), 700)).toBeUndefined();
  });

  it('is not remembered while it is within its limit', () => {
    const cache = createDenyCache(options);
    cache.learn(hit('k', 3), overBy(3), true, 0);
    expect(cache.size).toBe(0);
  });

  it.each(['forget', 'clear'] as const)('%s', (way) => {
    const cache = createDenyCache(options);
    cache.learn(hit('k', 3), overBy(4), true, 0);
    cache[way]('k');
    expect(cache.find(hit('k', 3), 1)).toBeUndefined();
  });
});

it('stays within its bytes: the first learned goes first', () => {
  const cache = createDenyCache({ ...options, maxBytes: 2_000 });
  for (let i = 0; i < 1_000; i++) cache.learn(hit(`key-${i}`, 3), overBy(4), true, 0);
  expect(cache.size).toBeGreaterThan(5);
  expect(cache.size).toBeLessThan(20);
  expect(cache.find(hit('key-0', 3), 1)).toBeUndefined();
  expect(cache.find(hit('key-999', 3), 1)).toBeDefined();
});

it('does not remember a key that has no room at all', () => {
  const cache = createDenyCache({ ...options, maxBytes: 100 });
  cache.learn(hit('k', 3), overBy(4), true, 0);
  expect(cache.size).toBe(0);
});
