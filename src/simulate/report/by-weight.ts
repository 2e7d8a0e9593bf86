import type { ComparedRule, FiguresReport, RuleReport } from './report.ts';

/** Rules in a table for people; what is left out is counted, and in the JSON. */
export const shownRules = 100;

/** The rules that requests met, those that denied most first. */
export function rulesByWeight(rules: readonly RuleReport[]): readonly RuleReport[] {
  return rules.filter(isMet).sort((a, b) => b.denied - a.denied || checked(b) - checked(a));
}

/** The rules that requests met under either configuration, those with the greatest change of denials first. */
export function comparedByWeight(rules: readonly ComparedRule[]): readonly ComparedRule[] {
  return rules
    .filter(({ a, b }) => (a !== null && isMet(a)) || (b !== null && isMet(b)))
    .sort((one, other) => Math.abs(other.deniedChange) - Math.abs(one.deniedChange));
}

type Verdicts = Pick<FiguresReport, 'allowed' | 'denied'>;

function isMet(figures: Verdicts): boolean {
  return checked(figures) > 0;
}

function checked({ allowed, denied }: Verdicts): number {
  return allowed + denied;
}
