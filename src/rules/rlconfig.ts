import type { Rule } from './rule.ts';
import type { RuleSet } from './rule-set.ts';

/** The rules as the reference's `/rlconfig` prints them: one line for each limit, in the order of declaration. */
export function printRlconfig(rules: RuleSet | undefined): string {
  return (rules?.rules ?? []).map((rule) => `${printRule(rule)}\n`).join('');
}

function printRule(rule: Rule): string {
  const { limit } = rule;
  const unit = limit === 'unlimited' ? 'UNKNOWN' : (limit.unit ?? `${limit.windowSeconds}s`);
  const requests = limit === 'unlimited' ? 0 : limit.requestsPerUnit;
  return (
    `${rule.path}: unit=${unit} requests_per_unit=${requests}, ` +
    `shadow_mode: ${rule.shadowMode}, quota_mode: ${rule.quotaMode}`
  );
}
