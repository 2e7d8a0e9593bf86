import { amountText, countingText } from '../domain/limit-text.ts';
import type { Attempt } from '../rules/explain.ts';
import type { Rule, RuleLimit } from '../rules/rule.ts';
import type { AggregateDocument } from '../rules/rules-document.ts';

export function describeAttempt({ how, text, matched }: Attempt): string {
  return `${matched ? 'yes' : ' no'}  ${how.padEnd(11)}  ${text}`;
}

/** What a rule limits, and its marks. */
export function describeRule(rule: Rule): string {
  const amount = rule.limits.length === 0 ? 'unlimited' : rule.limits.map(describeLimit).join(' and ');
  const marks = [
    ...rule.names.map((name) => `name "${name}"`),
    rule.replaces.length > 0 && `replaces ${rule.replaces.join(', ')}`,
    rule.shadowMode && 'shadow mode',
    rule.quotaMode && 'quota mode',
    rule.levels.some(({ shareThreshold, isPattern }) => shareThreshold && isPattern) &&
      'one counter for all values of the pattern',
    rule.levels.some(({ shareThreshold, cidrs }) => shareThreshold && cidrs.length > 0) &&
      'one counter for all addresses of the networks',
    ...rule.levels.map(({ aggregate }) => aggregate !== undefined && describeAggregate(aggregate)),
    rule.levels.some((level) => level.keyedHash !== undefined) && 'sensitive values',
  ].filter((mark) => mark !== false);
  return [amount, ...marks].join(', ');
}

function describeLimit({ limit, counting, warnings }: RuleLimit): string {
  const words = [
    countingText(counting),
    warnings.length > 0 ? `warned at ${warnings.map(({ share }) => share).join(', ')}` : undefined,
  ].filter((word) => word !== undefined);
  return words.length === 0 ? amountText(limit) : `${amountText(limit)} (${words.join(', ')})`;
}

function describeAggregate({ ipv4, ipv6 }: AggregateDocument): string {
  const lengths = [ipv4 !== undefined && `/${ipv4} of IPv4`, ipv6 !== undefined && `/${ipv6} of IPv6`];
  return `one counter for each ${lengths.filter((length) => length !== false).join(' and ')}`;
}

/** Says why a rule is out. @param matches the rules of the request's descriptors */
export function describeReplaced({ names }: Rule, matches: readonly (Rule | undefined)[]): string {
  const by = matches
    .filter((rule) => rule?.replaces.some((name) => names.includes(name)))
    .map((rule) => rule?.path);
  return `replaced in this request by rule ${[...new Set(by)].join(', ')}: it neither counts nor denies`;
}
