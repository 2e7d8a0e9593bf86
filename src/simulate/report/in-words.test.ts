import { describe, expect, it } from 'vitest';
import { changeText, countText, durationText, momentText, plural, shareText } from './in-words.ts';

describe('figures in words', () => {
  it.each([
    [0, 0, '-'],
    [0, 10, '0.0 %'],
    [1, 3, '33.3 %'],
    [1, 10_000, '<0.1 %'],
    [9_999, 10_000, '>99.9 %'],
    [10, 10, '100.0 %'],
  ])('%i of %i is %s', (part, whole, text) => {
    expect(shareText(part, whole)).toBe(text);
  });

  it.each([
    [1, '1 s'],
    [90, '90 s'],
    [300, '5 min'],
    [7_200, '2 h'],
    [172_800, '2 d'],
  ])('%i s are %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it('numbers have their thousands parted, changes their signs, and words their plural', () => {
    expect([1_234_567, 0].map(countText)).toEqual(['1,234,567', '0']);
    expect([1_000, 0, -1_000].map(changeText)).toEqual(['+1,000', '0', '-1,000']);
    expect([0, 1, 2].map((count) => plural(count, 'line'))).toEqual(['0 lines', '1 line', '2 lines']);
    expect(momentText('2026-11-02T10:00:00.5Z')).toBe('2026-11-02 10:00:00.5 UTC');
  });
});
