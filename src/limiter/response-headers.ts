import type { Code, Header } from '../domain/decision.ts';
import type { DescriptorOutcome } from './decision-event.ts';

/** Names of the headers that describe a limit. */
export interface HeaderNames {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

/**
 * Whose limit the answer describes to the client: of those that deny, the one with the longest wait, of equal ones the
 * last; when nobody denies, the enforced one with the least remaining, of equal ones the first. Never a shadow rule.
 */
export function findDescribed(
  outcomes: readonly DescriptorOutcome[],
  denying: readonly DescriptorOutcome[],
): DescriptorOutcome | undefined {
  let described: DescriptorOutcome | undefined;
  for (const outcome of denying) {
    const isLonger = described === undefined || waitOf(outcome) >= waitOf(described);
    if (isLonger) described = outcome;
  }
  if (described !== undefined) return described;
  for (const outcome of outcomes) {
    if (outcome.status.currentLimit === undefined || outcome.rule?.shadowMode === true) continue;
    const isLess = described === undefined || outcome.status.limitRemaining < described.status.limitRemaining;
    if (isLess) described = outcome;
  }
  return described;
}

function waitOf(outcome: DescriptorOutcome): number {
  return outcome.status.secondsUntilReset;
}

/** Limit, remaining and seconds to the reset; on denial also Retry-After (RFC 9110, 10.2.3) with the same seconds. */
export function responseHeaders(
  described: DescriptorOutcome,
  overall: Code,
  names: HeaderNames,
): readonly Header[] {
  const { currentLimit, limitRemaining, secondsUntilReset } = described.status;
  const headers = [
    { name: names.limit, value: String(currentLimit?.requestsPerUnit ?? 0) },
    { name: names.remaining, value: String(limitRemaining) },
    { name: names.reset, value: String(secondsUntilReset) },
  ];
  if (overall === 'OVER_LIMIT') headers.push({ name: 'Retry-After', value: String(secondsUntilReset) });
  return headers;
}
