import type { DescriptorOutcome } from './decision-event.ts';

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
