import type { Rule } from '../../rules/rule.ts';
import type { ComparedFigures, ComparedRule, RuleReport } from './report.ts';

/** The rules of one configuration, and at the same places what they did. */
export interface ReportedRules {
  readonly rules: readonly Rule[];
  readonly reports: readonly RuleReport[];
}

/** Puts the rules of two configurations side by side. They are the same where domain, keys and values are. */
export function compareRules(a: ReportedRules, b: ReportedRules): readonly ComparedRule[] {
  const ofB = new Map(b.rules.map((rule, index) => [identityOf(rule), b.reports[index] as RuleReport]));
  const both = a.rules.map((rule, index) => {
    const identity = identityOf(rule);
    const other = ofB.get(identity);
    ofB.delete(identity);
    return compared(a.reports[index], other);
  });
  return [...both, ...Array.from(ofB.values(), (report) => compared(undefined, report))];
}

/**
 * The path alone may be that of two rules: key `a_b`, and key `a` with value `b`. So may the value of a list of networks, which
 * names the first of them.
 */
function identityOf({ domain, levels }: Rule): string {
  return JSON.stringify([
    domain,
    ...levels.map(({ key, value, cidrs }) => [key, value, ...cidrs.toSorted()]),
  ]);
}

function compared(a: RuleReport | undefined, b: RuleReport | undefined): ComparedRule {
  return {
    rule: (a ?? b)?.rule ?? '',
    a: figuresOf(a),
    b: figuresOf(b),
    allowedChange: (b?.allowed ?? 0) - (a?.allowed ?? 0),
    deniedChange: (b?.denied ?? 0) - (a?.denied ?? 0),
  };
}

function figuresOf(report: RuleReport | undefined): ComparedFigures | null {
  if (report === undefined) return null;
  const { limit, allowed, denied } = report;
  return { limit, allowed, denied };
}
