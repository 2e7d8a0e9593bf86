import type { Attempt } from '../rules/explain.ts';
import type { Rule } from '../rules/rule.ts';
import type { AggregateDocument } from '../rules/rules-document.ts';

export function describeAttempt({ how, text, matched }: Attempt): string {
  return `${matched ? 'yes' : ' no'}  ${how.padEnd(11)}  ${text}`;
}

/** What a rule limits, and its marks. */
export function describeRule(rule: Rule): string {
  const { limit } = rule;
  const amount =
    limit === 'unlimited'
      ? 'unlimited'
      : `${limit.requestsPerUnit} per ${limit.unit?.toLowerCase() ?? `${limit.windowSeconds} s`}`;
  const marks = [
    rule.name !== '' && `name "${rule.name}"`,
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

function describeAggregate({ ipv4, ipv6 }: AggregateDocument): string {
  const lengths = [ipv4 !== undefined && `/${ipv4} of IPv4`, ipv6 !== undefined && `/${ipv6} of IPv6`];
  return `one counter for each ${lengths.filter((length) => length !== false).join(' and ')}`;
}

/** Says why a rule is out. @param matches the rules of the request's descriptors */
export function describeReplaced({ name }: Rule, matches: readonly (Rule | undefined)[]): string {
  const by = matches.filter((rule) => rule?.replaces.includes(name)).map((rule) => rule?.path);
  return `replaced in this request by rule ${[...new Set(by)].join(', ')}: it neither counts nor denies`;
}
