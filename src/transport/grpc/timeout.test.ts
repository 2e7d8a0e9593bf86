import { describe, expect, it } from 'vitest';
import { parseTimeout } from './timeout.ts';

describe('grpc-timeout', () => {
  it.each([
    ['', Number.POSITIVE_INFINITY],
    ['0n', 0],
    ['0H', 0],
    ['1374684n', 1.374684],
    ['59995081u', 59_995.081],
    ['250m', 250],
    ['00000250m', 250],
    ['7S', 7_000],
    ['2M', 120_000],
    ['3H', 10_800_000],
    ['99999999H', 99_999_999 * 3_600_000],
  ])('%j is %d ms', (value, ms) => {
    expect(parseTimeout(value)).toBeCloseTo(ms, 9);
  });

  it.each([
    '1',
    'm',
    '123456789m',
    '-1m',
    '+1m',
    '1.5S',
    '1 m',
    ' 1m',
    '1m ',
    '1m\n',
    'm1',
    '1ms',
    '1s',
    '1h',
    '1D',
    '0x1m',
    '1_0m',
    '\u0661m',
    'Infinity',
  ])('%j is malformed', (value) => {
    expect(parseTimeout(value)).toBeUndefined();
  });
});
