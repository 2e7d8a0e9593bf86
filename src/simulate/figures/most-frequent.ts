/** Something that was counted. */
export interface Counted<T> {
  readonly about: T;
  /** At most {@link MostFrequent.uncertainty} less than it was. */
  readonly count: number;
}

/**
 * Counts which keys come most often, in bounded memory: the summary of Misra and Gries ("Finding repeated elements", 1982),
 * cut in batches as in "Mergeable summaries" (Agarwal and others, 2012). Up to `capacity` keys it is exact. With more, each
 * count may be too low by the same bound, and a key that is more frequent than the bound is never missed.
 */
export class MostFrequent<T> {
  readonly #entries = new Map<string, { readonly about: T; count: number }>();
  readonly #capacity: number;
  #uncertainty = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** By how much any count may be too low. */
  get uncertainty(): number {
    return this.#uncertainty;
  }

  /** Counts a key once. @param about makes what is told of it, when it is new */
  add(key: string, about: () => T): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      entry.count += 1;
      return;
    }
    this.#entries.set(key, { about: about(), count: 1 });
    if (this.#entries.size >= 2 * this.#capacity) this.#cut();
  }

  /** The most frequent ones, most first; of equal ones, those that came first. */
  top(most: number): readonly Counted<T>[] {
    return [...this.#entries.values()].sort((a, b) => b.count - a.count).slice(0, most);
  }

  /** Takes the count of the first key that is too many off all of them, so that at most `capacity` are left. */
  #cut(): void {
    const counts = Float64Array.from(this.#entries.values(), ({ count }) => count).sort();
    const less = counts[counts.length - 1 - this.#capacity] ?? 0;
    for (const [key, entry] of this.#entries) {
      entry.count -= less;
      if (entry.count <= 0) this.#entries.delete(key);
    }
    this.#uncertainty += less;
  }
}
