import type { Rule } from './rule.ts';
import type { RuleSet } from './rule-set.ts';

/** The rules as the reference's `/rlconfig` prints them: one line for each limit, in the order of declaration. */
export function printRlconfig(rules: RuleSet | undefined): string {
  return (rules?.rules ?? []).map((rule) => `${printRule(rule)}\n`).join('');
}

function printRule(rule: Rule): string {
  const { limit, requestsPerUnit, shadowMode, quotaMode } = rule;
  const unit = limit === 'unlimited' ? 'UNKNOWN' : (limit.unit ?? `${limit.windowSeconds}s`);
  return (
    `${rule.path}: unit=${unit} requests_per_unit=${requestsPerUnit}, ` +
    `shadow_mode: ${shadowMode}, quota_mode: ${quotaMode}`
  );
}
