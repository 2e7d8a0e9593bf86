import type { Rule } from '../rules/rule.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { otherLabel } from './labelled.ts';
import { HitCounts, type Series } from './series.ts';
import { configuredLabels, hashedLevels, requestLevels, type SeriesLabels } from './series-labels.ts';
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
export function ownerOf(rule: Rule): string {
  return labelsText(configuredLabels(rule));
}

/** The same for those with values: other ones than before when some of the values must not be seen any more. */
export function ownerOfValues(rule: Rule): string {
  return `${ownerOf(rule)} ${hashedLevels(rule).join()}`;
}

/**
 * All series of rules, by their labels, at most so many. Rules with the same labels share one, and it outlives a reload,
 * so that counters go on. When room is needed, series go whose rules are no longer there. Where something is sensitive,
 * those with values go at once: the page must not go on showing what is now hashed.
 */
export class SeriesTable {
  /** Counts everything that finds no room. */
  readonly overflow: Series = {
    labelText: labelsText({ domain: otherLabel, key1: otherLabel, key2: undefined }),
    counts: new HitCounts(),
    isOverflow: true,
  };
  readonly #series = new Map<string, StoredSeries>();
  readonly #maxSeries: number;
  #perValue = 0;
  #rules: RuleSet | undefined;
  #sweptFor: RuleSet | undefined;
  /** Owners of the series that may show values; undefined: all may. */
  #valueOwners: ReadonlySet<string> | undefined;

  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries;
  }

  /** Which rules are in force from now on. */
  rulesApplied(rules: RuleSet | undefined): void {
    this.#rules = rules;
    this.#valueOwners = rules && valueOwners(rules);
    this.#remove((series) => !this.#mayShow(series));
  }

  /** The series with these labels, created if there is room; else undefined. */
  find(request: SeriesRequest): Series | undefined {
    const { labels, owner, perValue } = request;
    const labelText = labelsText(labels);
    const known = this.#series.get(labelText);
    if (known !== undefined) return known;
    if (!this.#mayShow(request)) return undefined;
    if (!this.#hasRoom(perValue)) this.#sweep();
    if (!this.#hasRoom(perValue)) return undefined;
    const created = { labelText, counts: new HitCounts(), isOverflow: false, owner, perValue };
    this.#series.set(labelText, created);
    if (perValue) this.#perValue += 1;
    return created;
  }

  *all(): Generator<Series> {
    yield* this.#series.values();
    yield this.overflow;
  }

  #hasRoom(perValue: boolean): boolean {
    if (this.#series.size >= this.#maxSeries) return false;
    return !perValue || this.#perValue < this.#maxSeries / 2;
  }

  /** Removes the series of rules that are gone. Once for each rule set: a second time would find nothing. */
  #sweep(): void {
    if (this.#rules === undefined || this.#sweptFor === this.#rules) return;
    this.#sweptFor = this.#rules;
    const owners = new Set(this.#rules.rules.flatMap((rule) => [ownerOf(rule), ownerOfValues(rule)]));
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
function valueOwners({ domains, rules }: RuleSet): ReadonlySet<string> | undefined {
  const isSensitive = [...domains.values()].some(({ hashOfKey }) => hashOfKey !== undefined);
  if (!isSensitive) return undefined;
  return new Set(rules.filter((rule) => requestLevels(rule).length > 0).map(ownerOfValues));
}
