import type { RuleSet } from '../rules/rule-set.ts';
import { otherLabel } from './labelled.ts';
import { HitCounts, type Series } from './series.ts';
import { configuredLabels, type SeriesLabels } from './series-labels.ts';
import { labelsText } from './series-text.ts';

/** A label set that is wanted. */
export interface SeriesRequest {
  readonly labels: SeriesLabels;
  /** Text of its rule's labels as configured: while a rule in force has them, the series stays. */
  readonly owner: string;
  /** Made from values of requests. These may take half of the room, so that rules always find some. */
  readonly perValue: boolean;
}

interface StoredSeries extends Series {
  readonly owner: string;
  readonly perValue: boolean;
}

/**
 * All series of rules, by their labels, at most so many. Rules with the same labels share one, and it outlives a reload,
 * so that counters go on. When room is needed, series go whose rules are no longer there.
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

  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries;
  }

  /** Which rules are in force from now on. */
  rulesApplied(rules: RuleSet | undefined): void {
    this.#rules = rules;
  }

  /** The series with these labels, created if there is room; else undefined. */
  find({ labels, owner, perValue }: SeriesRequest): Series | undefined {
    const labelText = labelsText(labels);
    const known = this.#series.get(labelText);
    if (known !== undefined) return known;
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
    const owners = new Set(this.#rules.rules.map((rule) => labelsText(configuredLabels(rule))));
    for (const [key, { owner, perValue }] of this.#series) {
      if (owners.has(owner)) continue;
      this.#series.delete(key);
      if (perValue) this.#perValue -= 1;
    }
  }
}
