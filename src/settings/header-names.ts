import type { HeaderNames } from '../domain/limit-headers.ts';
import type { Checks } from './checks.ts';

const variables = {
  limit: 'LIMIT_LIMIT_HEADER',
  remaining: 'LIMIT_REMAINING_HEADER',
  reset: 'LIMIT_RESET_HEADER',
} as const;

/** Names of the headers that describe a limit: each its own, or that of the style. */
export function headerNames(checks: Checks): HeaderNames {
  const { values, isSet } = checks;
  const style = values.LIMIT_RESPONSE_HEADERS_STYLE;
  const nameOf = (part: keyof HeaderNames, suffix: string) =>
    isSet(variables[part]) ? values[variables[part]] : `${style}-${suffix}`;
  const names = {
    limit: nameOf('limit', 'Limit'),
    remaining: nameOf('remaining', 'Remaining'),
    reset: nameOf('reset', 'Reset'),
  };
  checkDistinct(checks, names);
  for (const part of ['limit', 'remaining', 'reset'] as const) checks.holds(variables[part], names[part]);
  return names;
}

/** Envoy adds headers of one name as one header with several values, which no client understands. */
function checkDistinct(checks: Checks, names: HeaderNames): void {
  const seen = new Set(['retry-after']);
  for (const part of ['limit', 'remaining', 'reset'] as const) {
    const name = names[part].toLowerCase();
    if (seen.has(name)) checks.fail(variables[part], `needs a name of its own: ${names[part]} is taken.`);
    seen.add(name);
  }
}
