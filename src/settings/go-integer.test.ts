import { describe, expect, it } from 'vitest';
import { parseGoInteger } from './go-integer.ts';

const wide = { min: -1_000_000, max: Number.MAX_SAFE_INTEGER };

describe('parseGoInteger', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['8080', 8080],
    ['+7', 7],
    ['-7', -7],
    ['0x1F90', 8080],
    ['0XfF', 255],
    ['0b101', 5],
    ['0B1', 1],
    ['0o17', 15],
    ['0O17', 15],
    ['017', 15],
    ['00', 0],
    ['1_000', 1000],
    ['0x_1f', 31],
    ['0_17', 15],
    ['-0x10', -16],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('%s is %d', (text, value) => {
    expect(parseGoInteger(text, wide)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '08',
    '1e3',
    '1.0',
    '1__0',
    '_1',
    '1_',
    '0x',
    '0xg',
    '0b2',
    '0o8',
    '--1',
    'ten',
    '１',
    '1\n',
  ])('%j is no whole number', (text) => {
    expect(parseGoInteger(text, wide).ok).toBe(false);
  });

  it.each([
    ['65536', { min: 0, max: 65_535 }],
    ['-1', { min: 0, max: 65_535 }],
    ['0', { min: 1, max: 10 }],
    // One above 2^53 - 1 would become a neighbour if it were read as a floating-point number first.
    ['9007199254740992', wide],
    ['99999999999999999999999', wide],
  ])('%s is outside %j', (text, range) => {
    expect(parseGoInteger(text, range).ok).toBe(false);
  });

  it('says which numbers are expected', () => {
    expect(parseGoInteger('x', { min: 0, max: 9 })).toEqual({
      ok: false,
      expected: 'a whole number from 0 to 9',
    });
    expect(parseGoInteger('x', { min: 1, max: Number.MAX_SAFE_INTEGER })).toEqual({
      ok: false,
      expected: 'a whole number, at least 1',
    });
  });
});
