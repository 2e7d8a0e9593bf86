import type { Calendar } from './calendar.ts';

/** How a counter counts: its algorithm, and all of a limit that the algorithm needs. Plain data, made once for each limit. */
export type Counting = FixedWindow | CalendarWindow | SlidingWindow | TokenBucket;

interface Named {
  /** The end of the counter's key: counters with equal ids are of one form and can be counted on alike. */
  readonly id: string;
}

/** Windows of one length, aligned to the Unix epoch. A limit that says nothing else counts so. */
export interface FixedWindow extends Named {
  readonly kind: 'fixed_window';
  /** A whole number from 1. */
  readonly windowSeconds: number;
}

/** Days, weeks, months or years as they are in a time zone. */
export interface CalendarWindow extends Named {
  readonly kind: 'calendar_window';
  readonly calendar: Calendar;
}

/** The hits of the present window, and of the one before by what is left of the present one. */
export interface SlidingWindow extends Named {
  readonly kind: 'sliding_window';
  readonly windowSeconds: number;
}

/**
 * A bucket of tokens that fills at a steady rate. Amounts are whole numbers of units: a token is `unitsPerToken` of them, and
 * `unitsPerMs` flow in each millisecond, so that no rate has to be rounded.
 */
export interface TokenBucket extends Named {
  readonly kind: 'token_bucket';
  /** Tokens that a full bucket holds, from 0. */
  readonly burst: number;
  readonly unitsPerToken: number;
  /** 0 only where the bucket holds nothing. */
  readonly unitsPerMs: number;
}

export function fixedWindow(windowSeconds: number): FixedWindow {
  return Object.freeze({ kind: 'fixed_window', id: String(windowSeconds), windowSeconds });
}

export function slidingWindow(windowSeconds: number): SlidingWindow {
  return Object.freeze({ kind: 'sliding_window', id: `${windowSeconds}s`, windowSeconds });
}

export function calendarWindow(calendar: Calendar): CalendarWindow {
  return Object.freeze({ kind: 'calendar_window', id: `c-${calendar.name}`, calendar });
}

/** Most units that a bucket can hold: its arithmetic stays among the integers that are exact. */
const maxUnits = 2 ** 49;

/**
 * A bucket that gains so many tokens in each window; undefined when it would hold more units than can be counted exactly.
 * Its rate and size are in its id, as they give its amounts their meaning: a bucket of another rate is another bucket.
 */
export function tokenBucket(tokens: number, windowSeconds: number, burst: number): TokenBucket | undefined {
  const windowMs = windowSeconds * 1000;
  const divisor = greatestCommonDivisor(tokens, windowMs);
  const unitsPerToken = windowMs / divisor;
  if (burst * unitsPerToken > maxUnits) return undefined;
  const id = `${windowSeconds}t${tokens}b${burst}`;
  return Object.freeze({ kind: 'token_bucket', id, burst, unitsPerToken, unitsPerMs: tokens / divisor });
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
