import { describe, expect, it } from 'vitest';
import { parseGoFloat } from './go-float.ts';

describe('parseGoFloat', () => {
  it.each([
    ['0.8', 0.8],
    ['.8', 0.8],
    ['1.', 1],
    ['1', 1],
    ['+1.5', 1.5],
    ['-1.5', -1.5],
    ['-0', 0],
    ['8e-1', 0.8],
    ['1E3', 1000],
    ['010', 10],
    ['0x1p-2', 0.25],
    ['0x1.8p1', 3],
    ['0X.8p0', 0.5],
    ['0x_1_0p0', 16],
    ['-0x1p0', -1],
  ])('%s is %d', (text, value) => {
    expect(parseGoFloat(text)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    '.',
    'e5',
    '1e',
    '1_000',
    '0x1',
    '0xp1',
    '0x.p1',
    'NaN',
    'Inf',
    '-inf',
    'Infinity',
    '1e999',
    '0,8',
    '80%',
    ' 1',
    '1 ',
  ])('%j is no number', (text) => {
    expect(parseGoFloat(text).ok).toBe(false);
  });
});
