import type { Counting } from './counting.ts';
import type { RateLimit } from './limit.ts';

/** `5 per minute`, or `5 per 10 s` where no unit has this length. */
export function amountText({ requestsPerUnit, unit, windowSeconds }: RateLimit): string {
  return `${requestsPerUnit} per ${unit?.toLowerCase() ?? `${windowSeconds} s`}`;
}

/** As the list of a rule writes it: `5/minute`, or `5/10s` where no unit has this length. */
export function listText({ requestsPerUnit, unit, windowSeconds }: RateLimit): string {
  return `${requestsPerUnit}/${unit?.toLowerCase() ?? `${windowSeconds}s`}`;
}

/** How a limit counts, in words; undefined for fixed windows. */
export function countingText(counting: Counting): string | undefined {
  switch (counting.kind) {
    case 'fixed_window':
      return undefined;
    case 'sliding_window':
      return 'sliding window';
    case 'token_bucket':
      return `token bucket of ${counting.burst}`;
    case 'calendar_window':
      return `by the calendar of ${counting.calendar.timeZone}`;
  }
}
