import type { Attempt } from '../rules/explain.ts';
import type { Rule } from '../rules/rule.ts';

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
    rule.levels.some((level) => level.shareThreshold) && 'one counter for all values of the pattern',
    rule.levels.some((level) => level.keyedHash !== undefined) && 'sensitive values',
  ].filter((mark) => mark !== false);
  return [amount, ...marks].join(', ');
}

/** Says why a rule is out. @param matches the rules of the request's descriptors */
export function describeReplaced({ name }: Rule, matches: readonly (Rule | undefined)[]): string {
  const by = matches.filter((rule) => rule?.replaces.includes(name)).map((rule) => rule?.path);
  return `replaced in this request by rule ${[...new Set(by)].join(', ')}: it neither counts nor denies`;
}
