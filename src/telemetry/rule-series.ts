import type { Entry } from '../domain/descriptor.ts';
import type { DecisionEvent, DescriptorOutcome } from '../limiter/decision-event.ts';
import type { Rule, RuleLevel } from '../rules/rule.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Series } from './series.ts';
import {
  configuredLabels,
  labelledPart,
  otherValueLabels,
  requestLabels,
  requestLevels,
} from './series-labels.ts';
import { ownerOf, ownerOfValues, type SeriesTable } from './series-table.ts';

/** Which series a rule's hits are counted in: always the same one, or one for each value. */
type RuleSeries = (entries: readonly Entry[]) => Series;

/** The rules of one rule set that were hit so far, by their id. */
interface HitRules {
  readonly rules: RuleSet | undefined;
  readonly byId: (RuleSeries | undefined)[];
}

/**
 * Finds the series of a descriptor's rule by the rule's id. Labels are made on a rule's first hit after a reload, and for
 * rules with values in their labels on a value's first; what every request pays is an index into an array.
 */
export class RuleSeriesIndex {
  readonly #table: SeriesTable;
  readonly #maxValuesPerRule: number;
  /** Requests in flight over a reload still bring the rule set they began with. */
  readonly #known = new WeakMap<RuleSet, HitRules>();
  #hit: HitRules = { rules: undefined, byId: [] };

  constructor(table: SeriesTable, maxValuesPerRule: number) {
    this.#table = table;
    this.#maxValuesPerRule = maxValuesPerRule;
  }

  of(event: DecisionEvent, outcome: DescriptorOutcome): Series {
    const { rules } = event;
    const { rule } = outcome;
    if (rules === undefined || rule === undefined) return this.#table.overflow;
    if (this.#hit.rules !== rules) this.#hit = this.#hitRulesOf(rules);
    let series = this.#hit.byId[rule.id];
    if (series === undefined) {
      series = this.#seriesOf(rule);
      this.#hit.byId[rule.id] = series;
    }
    return series(outcome.descriptor.entries);
  }

  #hitRulesOf(rules: RuleSet): HitRules {
    const known = this.#known.get(rules);
    if (known !== undefined) return known;
    const created = { rules, byId: new Array<RuleSeries | undefined>(rules.rules.length).fill(undefined) };
    this.#known.set(rules, created);
    return created;
  }

  #seriesOf(rule: Rule): RuleSeries {
    const { depth } = this.#table;
    const positions = requestLevels(rule, depth);
    if (positions.length > 0) return this.#seriesByValue(rule, positions);
    const request = { labels: configuredLabels(rule, depth), owner: ownerOf(rule, depth), perValue: false };
    const series = this.#table.find(request) ?? this.#table.overflow;
    return () => series;
  }

  #seriesByValue(rule: Rule, positions: readonly number[]): RuleSeries {
    const table = this.#table;
    const { depth } = table;
    const owner = ownerOfValues(rule, depth);
    const byValue = new Map<string, Series>();
    let overflow: Series | undefined;
    const overflowSeries = (): Series => {
      overflow ??= overflowOf(table, rule);
      return overflow;
    };
    return (entries) => {
      const values = valuesKey(rule, entries, positions);
      const known = byValue.get(values);
      if (known !== undefined) return known;
      if (byValue.size >= this.#maxValuesPerRule) return overflowSeries();
      const series = table.find({ labels: requestLabels(rule, entries, depth), owner, perValue: true });
      byValue.set(values, series ?? overflowSeries());
      return series ?? overflowSeries();
    };
  }
}

/** The series of a rule's values that found no room; it says so in its labels. */
function overflowOf(table: SeriesTable, rule: Rule): Series {
  const { depth } = table;
  const labels = otherValueLabels(rule, depth);
  const series = table.find({ labels, owner: ownerOf(rule, depth), perValue: false });
  return series === undefined ? table.overflow : { ...series, isOverflow: true };
}

/** Equal for equal values only. */
function valuesKey(rule: Rule, entries: readonly Entry[], positions: readonly number[]): string {
  let key = partAt(rule, entries, positions[0] as number);
  for (let i = 1; i < positions.length; i++) {
    key = `${key.length}:${key}${partAt(rule, entries, positions[i] as number)}`;
  }
  return key;
}

function partAt(rule: Rule, entries: readonly Entry[], position: number): string {
  // A rule matches only descriptors that are as long as it is.
  return labelledPart(rule.levels[position] as RuleLevel, (entries[position] as Entry).value);
}
