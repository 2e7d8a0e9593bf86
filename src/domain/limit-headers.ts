import type { Code, DescriptorStatus, Header } from './decision.ts';

/** Names of the headers that describe a limit. */
export interface HeaderNames {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

/** Limit, remaining and seconds to the reset; on denial also Retry-After (RFC 9110, 10.2.3) with the same seconds. */
export function limitHeaders(described: DescriptorStatus, overall: Code, names: HeaderNames): Header[] {
  const { currentLimit, limitRemaining, secondsUntilReset } = described;
  const headers = [
    { name: names.limit, value: String(currentLimit?.requestsPerUnit ?? 0) },
    { name: names.remaining, value: String(limitRemaining) },
    { name: names.reset, value: String(secondsUntilReset) },
  ];
  if (overall === 'OVER_LIMIT') headers.push({ name: 'Retry-After', value: String(secondsUntilReset) });
  return headers;
}
