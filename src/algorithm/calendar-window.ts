import type { CalendarSpan } from '../domain/calendar.ts';

const hourMs = 3_600_000;

/**
 * What tells a window of a calendar from its neighbours, as an index tells a fixed window: the hour in which it begins,
 * counted from the epoch. No two windows of a calendar begin in the same one. Counting in them is that of fixed windows.
 */
export function windowOfSpan({ startMs }: CalendarSpan): number {
  return Math.floor(startMs / hourMs);
}
