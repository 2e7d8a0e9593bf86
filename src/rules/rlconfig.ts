import type { Rule, RuleLimit } from './rule.ts';
import type { RuleSet } from './rule-set.ts';

/** The rules as the reference's `/rlconfig` prints them: one line for each limit, in the order of declaration. */
export function printRlconfig(rules: RuleSet | undefined): string {
  return (rules?.rules ?? []).flatMap(linesOf).join('');
}

function linesOf(rule: Rule): readonly string[] {
  if (rule.limits.length === 0) return [line(rule, 'UNKNOWN', rule.unlimitedRequests, '')];
  return rule.limits.map((limit) => {
    const { unit, windowSeconds, requestsPerUnit } = limit.limit;
    return line(rule, unit ?? `${windowSeconds}s`, requestsPerUnit, ownWords(limit));
  });
}

function line({ path, shadowMode, quotaMode }: Rule, unit: string, requests: number, own: string): string {
  return `${path}: unit=${unit} requests_per_unit=${requests}, shadow_mode: ${shadowMode}, quota_mode: ${quotaMode}${own}\n`;
}

/** What the reference does not know; nothing for a limit that it does. */
function ownWords({ counting, warnings }: RuleLimit): string {
  const words = [
    counting.kind === 'sliding_window' && 'algorithm: sliding_window',
    counting.kind === 'token_bucket' && `algorithm: token_bucket, burst: ${counting.burst}`,
    counting.kind === 'calendar_window' && `align: calendar, timezone: ${counting.calendar.timeZone}`,
    warnings.length > 0 && `warn_at: ${warnings.map(({ share }) => share).join(' ')}`,
  ].filter((word) => word !== false);
  return words.map((word) => `, ${word}`).join('');
}
