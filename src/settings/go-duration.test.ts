import { describe, expect, it } from 'vitest';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';

describe('parseGoDuration', () => {
  it.each([
    ['0', 0],
    ['+0', 0],
    ['-0', 0],
    ['-0s', 0],
    ['250ms', 250],
    ['10s', 10_000],
    ['1.5s', 1_500],
    ['.5s', 500],
    ['1.s', 1_000],
    ['1.005s', 1_005],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['1h1h', 7_200_000],
    ['24h', 86_400_000],
    ['1m2s3ms', 62_003],
    ['100us', 0.1],
    ['100\u00b5s', 0.1],
    ['100\u03bcs', 0.1],
    ['5ns', 0.000_005],
    ['-3s', -3_000],
    ['+3s', 3_000],
    ['2562047h', 9_223_369_200_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseGoDuration(text)).toEqual({ ok: true, value: ms });
  });

  it.each([
    '',
    '10',
    '1d',
    '1w',
    '1 s',
    ' 1s',
    '1s ',
    '1S',
    '1e3s',
    's',
    '.s',
    '-',
    '1s-1s',
    '1h30',
    '2562048h',
    '1s\n',
  ])('%j is no duration', (text) => {
    expect(parseGoDuration(text)).toMatchObject({ ok: false });
  });

  it('refuses a long text in linear time', () => {
    expect(parseGoDuration('1'.repeat(1_000_000)).ok).toBe(false);
  });
});

describe('formatGoDuration', () => {
  it.each([
    [0, '0'],
    [0.1, '0.1ms'],
    [250, '250ms'],
    [1_500, '1.5s'],
    [61_100, '1m1.1s'],
    [300_000, '5m'],
    [5_400_000, '1h30m'],
    [86_400_000, '24h'],
  ])('%d ms is %s, which reads back', (ms, text) => {
    expect(formatGoDuration(ms)).toBe(text);
    expect(parseGoDuration(text)).toEqual({ ok: true, value: ms });
  });
});
