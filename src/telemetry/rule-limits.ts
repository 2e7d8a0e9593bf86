import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Rule } from '../rules/rule.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { labelledLevels, requestLevels } from './series-labels.ts';
import { ownerOf } from './series-table.ts';

const name = 'weir_rule_limit_per_second';
const help =
  'Hits a second that a rule allows: its requests by its window. The lowest of those that share the labels.';

/** Rules whose labels are made in one turn of the loop; calls wait meanwhile. */
const rulesInTurn = 500;

/**
 * The limits in force, with the labels that hits on them are counted under, so that a query can set one against the other
 * and find rules that nobody hits. Their text changes only with the rules: it is made at the first scrape after a load.
 *
 * Left out are rules without a limit, and those whose labels show values of requests: there is nothing to set against.
 */
export class RuleLimits {
  readonly #maxSeries: number;
  #rules: readonly Rule[] = [];
  #text: Promise<string> | undefined;

  /** @param maxSeries largest number of label sets; the rules after them have none */
  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries;
  }

  /** Which rules are in force from now on. */
  rulesApplied(rules: RuleSet | undefined): void {
    this.#rules = rules?.rules ?? [];
    this.#text = undefined;
  }

  /** The family in Prometheus' text format. */
  text(): Promise<string> {
    this.#text ??= limitsText(this.#rules, this.#maxSeries);
    return this.#text;
  }
}

async function limitsText(rules: readonly Rule[], maxSeries: number): Promise<string> {
  const limits = new Map<string, number>();
  for (let start = 0; start < rules.length; start += rulesInTurn) {
    if (start > 0) await nextTurn();
    for (const rule of rules.slice(start, start + rulesInTurn)) addLimit(limits, rule, maxSeries);
  }
  const lines = Array.from(limits, ([labels, limit]) => `${name}${labels} ${limit}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function addLimit(limits: Map<string, number>, rule: Rule, maxSeries: number): void {
  if (rule.limits.length === 0 || requestLevels(rule).length > 0) return;
  const labels = ownerOf(rule, labelledLevels);
  const known = limits.get(labels);
  if (known === undefined && limits.size >= maxSeries) return;
  const perSecond = rule.limits.map(({ limit }) => limit.requestsPerUnit / limit.windowSeconds);
  limits.set(labels, Math.min(...perSecond, known ?? Number.POSITIVE_INFINITY));
}
