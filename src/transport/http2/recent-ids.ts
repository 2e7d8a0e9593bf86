/** Remembers the last so many stream identifiers. Nothing is allocated before the first. */
export class RecentIds {
  readonly #size: number;
  readonly #known = new Set<number>();

  constructor(size: number) {
    this.#size = size;
  }

  add(id: number): void {
    // A set keeps the order of insertion: its first is the oldest.
    this.#known.delete(id);
    if (this.#known.size >= this.#size) this.#known.delete(this.#known.values().next().value as number);
    this.#known.add(id);
  }

  has(id: number): boolean {
    return this.#known.has(id);
  }
}
