import type { Rule } from '../rules/rule.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { otherLabel } from './labelled.ts';
import { HitCounts, type Series } from './series.ts';
import {
  configuredLabels,
  hashedLevels,
  labelledLevels,
  requestLevels,
  type SeriesLabels,
} from './series-labels.ts';
import { labelsText } from './series-text.ts';

/** A label set that is wanted. */
export interface SeriesRequest {
  readonly labels: SeriesLabels;
  /** {@link ownerOf} its rule, or of its values: while a rule in force has the same, the series stays. */
  readonly owner: string;
  /** Made from values of requests. These may take half of the room, so that rules always find some. */
  readonly perValue: boolean;
}

interface StoredSeries extends Series {
  readonly owner: string;
  readonly perValue: boolean;
}

/** What a rule's series belong to: its labels as configured. */
export function ownerOf(rule: Rule, depth: number): string {
  return identityOf(configuredLabels(rule, depth));
}

/** The same for those with values: other ones than before when some of the values must not be seen any more. */
export function ownerOfValues(rule: Rule, depth: number): string {
  return `${ownerOf(rule, depth)} ${hashedLevels(rule, depth).join()}`;
}

/** Equal for the labels of one series only. */
function identityOf(labels: SeriesLabels): string {
  const text = labelsText(labels);
  return labels.deeper.length === 0 ? text : text + JSON.stringify(labels.deeper);
}

const otherLabels: SeriesLabels = Object.freeze({
  domain: otherLabel,
  key1: otherLabel,
  key2: undefined,
  deeper: Object.freeze([]),
});

/**
 * All series of rules, by their labels, at most so many. Rules with the same labels share one, and it outlives a reload,
 * so that counters go on. When room is needed, series go whose rules are no longer there. Where something is sensitive,
 * those with values go at once: the page must not go on showing what is now hashed.
 */
export class SeriesTable {
  /** Counts everything that finds no room. */
  readonly overflow: Series = {
    labels: otherLabels,
    labelText: labelsText(otherLabels),
    counts: new HitCounts(),
    isOverflow: true,
  };
  readonly #series = new Map<string, StoredSeries>();
  readonly #maxSeries: number;
  /** How many levels of a rule tell its series from others'. */
  readonly depth: number;
  #perValue = 0;
  #rules: RuleSet | undefined;
  #sweptFor: RuleSet | undefined;
  /** Owners of the series that may show values; undefined: all may. */
  #valueOwners: ReadonlySet<string> | undefined;

  /** @param depth the levels that labels show unless given; more of them for names that hold whole paths */
  constructor(maxSeries: number, depth: number = labelledLevels) {
    this.#maxSeries = maxSeries;
    this.depth = depth;
  }

  /** Which rules are in force from now on. */
  rulesApplied(rules: RuleSet | undefined): void {
    this.#rules = rules;
    this.#valueOwners = rules && valueOwners(rules, this.depth);
    this.#remove((series) => !this.#mayShow(series));
  }

  /** The series with these labels, created if there is room; else undefined. */
  find(request: SeriesRequest): Series | undefined {
    const { labels, owner, perValue } = request;
    const identity = identityOf(labels);
    const known = this.#series.get(identity);
    if (known !== undefined) return known;
    if (!this.#mayShow(request)) return undefined;
    if (!this.#hasRoom(perValue)) this.#sweep();
    if (!this.#hasRoom(perValue)) return undefined;
    const labelText = labelsText(labels);
    const created = { labels, labelText, counts: new HitCounts(), isOverflow: false, owner, perValue };
    this.#series.set(identity, created);
    if (perValue) this.#perValue += 1;
    return created;
  }

  *all(): Generator<Series> {
    yield* this.#series.values();
    yield this.overflow;
  }

  /** Numbers by their labels, for the page: series that only differ below the levels of labels are added up. */
  byLabels(): Iterable<Pick<Series, 'labelText' | 'counts'>> {
    if (this.depth <= labelledLevels) return this.all();
    const sums = new Map<string, Pick<Series, 'labelText' | 'counts'>>();
    for (const { labelText, counts } of this.all()) {
      const sum = sums.get(labelText) ?? { labelText, counts: new HitCounts() };
      sum.counts.join(counts);
      sums.set(labelText, sum);
    }
    return sums.values();
  }

  #hasRoom(perValue: boolean): boolean {
    if (this.#series.size >= this.#maxSeries) return false;
    return !perValue || this.#perValue < this.#maxSeries / 2;
  }

  /** Removes the series of rules that are gone. Once for each rule set: a second time would find nothing. */
  #sweep(): void {
    if (this.#rules === undefined || this.#sweptFor === this.#rules) return;
    this.#sweptFor = this.#rules;
    const { depth } = this;
    const owners = new Set(
      this.#rules.rules.flatMap((rule) => [ownerOf(rule, depth), ownerOfValues(rule, depth)]),
    );
    this.#remove(({ owner }) => !owners.has(owner));
  }

  /** A request that began before a reload may still bring values that must not be seen any more. */
  #mayShow({ owner, perValue }: Pick<SeriesRequest, 'owner' | 'perValue'>): boolean {
    return !perValue || this.#valueOwners === undefined || this.#valueOwners.has(owner);
  }

  #remove(isGone: (series: StoredSeries) => boolean): void {
    for (const [key, series] of this.#series) {
      if (!isGone(series)) continue;
      this.#series.delete(key);
      if (series.perValue) this.#perValue -= 1;
    }
  }
}

/** undefined where nothing is sensitive. */
function valueOwners({ domains, rules }: RuleSet, depth: number): ReadonlySet<string> | undefined {
  const isSensitive = [...domains.values()].some(({ hashOfKey }) => hashOfKey !== undefined);
  if (!isSensitive) return undefined;
  const withValues = rules.filter((rule) => requestLevels(rule, depth).length > 0);
  return new Set(withValues.map((rule) => ownerOfValues(rule, depth)));
}
