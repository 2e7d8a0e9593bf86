import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CalendarUnit, calendarUnits, createCalendar, timeZoneOf } from './calendar.ts';

const hour = 3_600_000;

function spanOf(unit: CalendarUnit, timeZone: string, at: string) {
  const { startMs, endMs } = createCalendar(unit, timeZone).spanAt(Date.parse(at));
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString(), (endMs - startMs) / hour];
}

describe('windows of the calendar', () => {
  it.each<[string, CalendarUnit, string, string, string, string, number]>([
    [
      'a day',
      'DAY',
      'UTC',
      '2026-02-28T23:59:59Z',
      '2026-02-28T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
      24,
    ],
    [
      'N13: a month ends on its last day',
      'MONTH',
      'UTC',
      '2026-02-28T23:59:59Z',
      '2026-02-01T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
      672,
    ],
    [
      'N13: and the next one begins',
      'MONTH',
      'UTC',
      '2026-03-01T00:00:00Z',
      '2026-03-01T00:00:00.000Z',
      '2026-04-01T00:00:00.000Z',
      744,
    ],
    [
      'a February of a leap year',
      'MONTH',
      'UTC',
      '2028-02-29T12:00:00Z',
      '2028-02-01T00:00:00.000Z',
      '2028-03-01T00:00:00.000Z',
      696,
    ],
    [
      'N13: a week begins on Monday',
      'WEEK',
      'UTC',
      '2026-11-29T23:59:59Z',
      '2026-11-23T00:00:00.000Z',
      '2026-11-30T00:00:00.000Z',
      168,
    ],
    [
      'on the Monday itself',
      'WEEK',
      'UTC',
      '2026-11-30T00:00:00Z',
      '2026-11-30T00:00:00.000Z',
      '2026-12-07T00:00:00.000Z',
      168,
    ],
    [
      'a year',
      'YEAR',
      'UTC',
      '2028-12-31T23:59:59Z',
      '2028-01-01T00:00:00.000Z',
      '2029-01-01T00:00:00.000Z',
      8_784,
    ],
    [
      'N13: the day on which clocks are put forward',
      'DAY',
      'Europe/Berlin',
      '2026-03-29T12:00:00Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      23,
    ],
    [
      'the day on which clocks are put back',
      'DAY',
      'Europe/Berlin',
      '2026-10-25T12:00:00Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      25,
    ],
    [
      'a week with such a day',
      'WEEK',
      'Europe/Berlin',
      '2026-03-29T12:00:00Z',
      '2026-03-22T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      167,
    ],
    [
      'a zone of half an hour',
      'DAY',
      'Asia/Kolkata',
      '2026-01-01T12:00:00Z',
      '2025-12-31T18:30:00.000Z',
      '2026-01-01T18:30:00.000Z',
      24,
    ],
    [
      "a day that begins at one o'clock",
      'DAY',
      'America/Sao_Paulo',
      '2018-11-04T12:00:00Z',
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T02:00:00.000Z',
      23,
    ],
    [
      'a day that was left out',
      'DAY',
      'Pacific/Apia',
      '2011-12-30T09:59:59Z',
      '2011-12-29T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
      24,
    ],
    [
      'an offset',
      'DAY',
      '+05:45',
      '2026-01-01T12:00:00Z',
      '2025-12-31T18:15:00.000Z',
      '2026-01-01T18:15:00.000Z',
      24,
    ],
  ])('%s', (_, unit, timeZone, at, start, end, hours) => {
    expect(spanOf(unit, timeZone, at)).toEqual([start, end, hours]);
  });

  it('meet without a gap, and hold the moment that they are asked for', () => {
    const property = fc.property(
      fc.constantFrom(...calendarUnits),
      fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Cairo'),
      fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2060, 0, 1) }),
      (unit, timeZone, now) => {
        const calendar = createCalendar(unit, timeZone);
        const span = calendar.spanAt(now);
        expect(span.startMs).toBeLessThanOrEqual(now);
        expect(span.endMs).toBeGreaterThan(now);
        expect(calendar.spanAt(span.endMs).startMs).toBe(span.endMs);
        expect(calendar.spanAt(span.startMs - 1).endMs).toBe(span.startMs);
        expect(createCalendar(unit, timeZone).spanAt(now)).toEqual(span);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('a clock that is out of its mind stands at the end of time', () => {
    const { startMs, endMs } = createCalendar('DAY', 'UTC').spanAt(Number.MAX_SAFE_INTEGER);
    expect(endMs - startMs).toBe(24 * hour);
  });
});

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['US/Eastern', 'America/New_York'],
  ['+02:00', '+02:00'],
  ['Europe/Berlim', undefined],
  ['', undefined],
  ['local', undefined],
])('%s is the time zone %s', (name, zone) => {
  expect(timeZoneOf(name)).toBe(zone);
});
