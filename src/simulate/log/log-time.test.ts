import { describe, expect, it } from 'vitest';
import { createTimeReader } from './log-time.ts';

const tenOClock = Date.parse('2026-11-02T10:00:00Z');

describe('createTimeReader()', () => {
  it.each([
    ['2026-11-02T10:00:00Z', tenOClock],
    ['2026-11-02T10:00:00.250Z', tenOClock + 250],
    ['2026-11-02T10:00:00.2509Z', tenOClock + 250],
    ['2026-11-02 10:00:00Z', tenOClock],
    ['2026-11-02t10:00:00z', tenOClock],
    ['2026-11-02T11:00:00.001+01:00', tenOClock + 1],
    [tenOClock / 1_000, tenOClock],
    [tenOClock / 1_000 + 0.123, tenOClock + 123],
    [tenOClock + 7, tenOClock + 7],
    [String(tenOClock / 1_000), tenOClock],
    [`${tenOClock / 1_000}.999`, tenOClock + 999],
    [String(tenOClock + 999), tenOClock + 999],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['2026-12-31T23:59:59Z', Date.UTC(2026, 11, 31, 23, 59, 59)],
    ['1970-01-01T00:00:00Z', 0],
    [0, 0],
  ])('%j is a time', (value, ms) => {
    expect(createTimeReader()(value)).toBe(ms);
  });

  it.each([
    '2026-11-02T10:00:00',
    '2026-11-02',
    '2026-13-02T10:00:00Z',
    '2026-02-30T10:00:00.250Z',
    '2026-02-29T10:00:00Z',
    '2026-11-31T10:00:00+01:00',
    '2026-11-02T24:00:00Z',
    '02/Nov/2026:10:00:00 +0000',
    '1969-12-31T23:59:59Z',
    'now',
    '',
    -1,
    1e16,
    Number.NaN,
    null,
    undefined,
    {},
  ])('%j is none', (value) => {
    expect(createTimeReader()(value)).toBeUndefined();
  });

  it('reads every millisecond after another one of the same or of another second', () => {
    const timeOf = createTimeReader();
    for (let ms = tenOClock - 1_500; ms < tenOClock + 2_500; ms += 7) {
      expect(timeOf(new Date(ms).toISOString())).toBe(ms);
    }
    expect(timeOf('2026-11-02T10:00:02.4x0Z')).toBeUndefined();
  });
});
