import { describe, expect, it } from 'vitest';
import { applyCost, countAfter, msUntilEnd, windowAt } from './fixed-window.ts';

const maxUint32 = 2 ** 32 - 1;

describe('windows', () => {
  it.each([
    ['2026-01-01T00:00:30Z', 60, 30_000],
    ['2026-01-01T00:00:00Z', 60, 60_000],
    ['2026-01-01T00:00:59.999Z', 60, 1],
    ['2026-01-01T00:00:00.999Z', 1, 1],
    ['1970-01-01T00:00:00Z', 3_600, 3_600_000],
    // N12: windows of any length are aligned to the epoch too
    ['2026-01-01T12:04:59Z', 300, 1_000],
    ['2026-01-01T12:05:00Z', 300, 300_000],
  ])('at %s a window of %i s ends in %i ms', (time, windowSeconds, expected) => {
    expect(msUntilEnd(Date.parse(time), windowSeconds)).toBe(expected);
  });

  it('the boundary belongs to the window that begins', () => {
    const boundary = Date.parse('2026-01-01T00:01:00Z');
    expect(windowAt(boundary, 60)).toBe(windowAt(boundary - 1, 60) + 1);
    expect(windowAt(boundary + 59_999, 60)).toBe(windowAt(boundary, 60));
  });
});

describe('countAfter', () => {
  it.each([
    [0, 1, 1],
    [5, -3, 2],
    [5, -9, 0],
    [5, 0, 5],
    [0, -maxUint32, 0],
    [maxUint32, 1, 2 ** 32],
    [maxUint32, maxUint32, 2 ** 32],
    [2 ** 32, 1, 2 ** 32],
    [2 ** 32, -1, maxUint32],
  ])('%i and a cost of %i give %i', (before, cost, after) => {
    expect(countAfter(before, cost)).toBe(after);
  });
});

describe('applyCost', () => {
  const counter = { window: 7, count: 3 };

  it('counts on in the same window', () => {
    expect(applyCost(counter, 7, 2)).toEqual({ counter: { window: 7, count: 5 }, before: 3, after: 5 });
  });

  it.each([6, 8])('begins anew in window %i', (window) => {
    expect(applyCost(counter, window, 2)).toEqual({ counter: { window, count: 2 }, before: 0, after: 2 });
  });

  it.each([
    ['looking', 0],
    ['giving back', -2],
  ])('%s neither creates a counter nor moves one', (_, cost) => {
    expect(applyCost(undefined, 7, cost)).toEqual({ counter: undefined, before: 0, after: 0 });
    expect(applyCost(counter, 8, cost).counter).toBe(counter);
    expect(applyCost(counter, 8, cost)).toMatchObject({ before: 0, after: 0 });
  });

  it('a look leaves the counter as it is', () => {
    expect(applyCost(counter, 7, 0)).toEqual({ counter, before: 3, after: 3 });
  });
});
