/** What a window of the calendar is. Weeks begin on Monday (ISO 8601). */
export type CalendarUnit = 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';

export const calendarUnits: readonly CalendarUnit[] = Object.freeze(['DAY', 'WEEK', 'MONTH', 'YEAR']);

/** One window: from `startMs` on, and before `endMs`; both in milliseconds since the Unix epoch. */
export interface CalendarSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** Windows that follow the calendar of a time zone. They meet without a gap, and none is shorter than some hours. */
export interface Calendar {
  /** Its unit and time zone, as counters' keys have it: `day-Europe/Berlin`. */
  readonly name: string;
  readonly timeZone: string;
  /** The window that this moment is in. */
  spanAt(nowMs: number): CalendarSpan;
}

/** A day, counted from 1970-01-01; the proleptic Gregorian calendar. */
type DayNumber = number;

const dayMs = 86_400_000;
/** The years that are counted in; a clock that says another time is taken to stand at their end. */
const lastMs = Date.UTC(9_999, 0, 1);
/** Spans that are remembered: the present one, its neighbours, and those of clocks that are somewhat off. */
const rememberedSpans = 8;

const calendars = new Map<string, Calendar>();

/** The calendar for a unit and a time zone, the same each time: what it has computed serves all limits that follow it. */
export function calendarOf(unit: CalendarUnit, timeZone: string): Calendar {
  const name = `${unit} ${timeZone}`;
  let calendar = calendars.get(name);
  if (calendar === undefined) {
    calendar = createCalendar(unit, timeZone);
    calendars.set(name, calendar);
  }
  return calendar;
}

/** @param timeZone a name that {@link timeZoneOf} knows */
export function createCalendar(unit: CalendarUnit, timeZone: string): Calendar {
  const dayAt = localDay(timeZone);
  let remembered: readonly CalendarSpan[] = [];

  function spanAt(nowMs: number): CalendarSpan {
    for (const span of remembered) if (nowMs >= span.startMs && nowMs < span.endMs) return span;
    const first = firstDay(unit, dayAt(Math.min(Math.max(nowMs, 0), lastMs)));
    const span = Object.freeze({
      startMs: beginningOf(first, dayAt),
      endMs: beginningOf(firstDayAfter(unit, first), dayAt),
    });
    remembered = [span, ...remembered.slice(0, rememberedSpans - 1)];
    return span;
  }

  return Object.freeze({ name: `${unit.toLowerCase()}-${timeZone}`, timeZone, spanAt });
}

/** The one name of a time zone that may have several, by the IANA database of the runtime; undefined when there is none. */
export function timeZoneOf(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Which day it is in the time zone. */
function localDay(timeZone: string): (ms: number) => DayNumber {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  return (ms) => {
    const [month, day, year] = format.format(ms).split('/').map(Number) as [number, number, number];
    return dayOf(year, month - 1, day);
  };
}

function dayOf(year: number, month: number, day: number): DayNumber {
  return Date.UTC(year, month, day) / dayMs;
}

/**
 * When a day begins: the first moment at which it is that day or a later one, to the second. That need not be midnight, and
 * need not be there at all: some zones change their time at midnight, and one has left out a day.
 */
function beginningOf(day: DayNumber, dayAt: (ms: number) => DayNumber): number {
  // No zone is a day away from UTC.
  let before = (day * dayMs - dayMs) / 1000;
  let reached = (day * dayMs + dayMs) / 1000;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dayAt(middle * 1000) >= day) reached = middle;
    else before = middle;
  }
  return reached * 1000;
}

function firstDay(unit: CalendarUnit, day: DayNumber): DayNumber {
  const date = new Date(day * dayMs);
  switch (unit) {
    case 'DAY':
      return day;
    case 'WEEK':
      return day - ((date.getUTCDay() + 6) % 7);
    case 'MONTH':
      return dayOf(date.getUTCFullYear(), date.getUTCMonth(), 1);
    case 'YEAR':
      return dayOf(date.getUTCFullYear(), 0, 1);
  }
}

function firstDayAfter(unit: CalendarUnit, first: DayNumber): DayNumber {
  const date = new Date(first * dayMs);
  switch (unit) {
    case 'DAY':
      return first + 1;
    case 'WEEK':
      return first + 7;
    case 'MONTH':
      return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    case 'YEAR':
      return dayOf(date.getUTCFullYear() + 1, 0, 1);
  }
}
