import type { DescriptorOutcome, LimitWarning } from './decision-event.ts';

/**
 * What became of a descriptor with several limits: that of the limit which binds. Of those that are over it is the one with
 * the longest wait, of equal ones the last; when none is, the one with the least remaining, of equal ones the first.
 * @param outcomes one for each limit, in order; undefined where its counter could not be reached
 * @returns undefined when it is not known what became of it: one was not reached, and none of the others denies
 */
export function bindingOutcome(
  outcomes: readonly (DescriptorOutcome | undefined)[],
): DescriptorOutcome | undefined {
  const reached = outcomes.filter((outcome) => outcome !== undefined);
  const over = reached.filter(({ overLimit, status }) => overLimit > 0 || status.code === 'OVER_LIMIT');
  const isDenied = over.some(({ status }) => status.code === 'OVER_LIMIT');
  if (reached.length < outcomes.length && !isDenied) return undefined;
  const [first, ...others] = over.length > 0 ? over : reached;
  if (first === undefined) return undefined;
  const binding = others.reduce(over.length > 0 ? longerWait : lessRemaining, first);
  return {
    ...binding,
    begunKeyLength: reached.reduce((sum, { begunKeyLength }) => sum + begunKeyLength, 0),
    limits: reached.map(({ status }) => status),
    warning: isDenied ? undefined : mostWarned(reached),
  };
}

/** The warning of the limit of which most is used; of equal ones the first. */
export function mostWarned(outcomes: readonly DescriptorOutcome[]): LimitWarning | undefined {
  let most: LimitWarning | undefined;
  for (const { warning } of outcomes) {
    if (warning === undefined) continue;
    if (most === undefined || warning.used / warning.capacity > most.used / most.capacity) most = warning;
  }
  return most;
}

function longerWait(longest: DescriptorOutcome, outcome: DescriptorOutcome): DescriptorOutcome {
  return outcome.status.secondsUntilReset >= longest.status.secondsUntilReset ? outcome : longest;
}

function lessRemaining(least: DescriptorOutcome, outcome: DescriptorOutcome): DescriptorOutcome {
  return outcome.status.limitRemaining < least.status.limitRemaining ? outcome : least;
}
