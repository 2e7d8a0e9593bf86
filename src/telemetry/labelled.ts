/** What a label says once the names it may take are used up. No name of a rule, node or file can be mistaken for it. */
export const otherLabel = '(other)';

/**
 * Things by the value of a label, such as a node's name. The values come from outside, so that their number is bounded:
 * beyond it, all further values share the thing of {@link otherLabel}.
 */
export class Labelled<T> {
  readonly #things = new Map<string, T>();
  readonly #maxValues: number;
  readonly #create: () => T;

  constructor(maxValues: number, create: () => T) {
    this.#maxValues = maxValues;
    this.#create = create;
  }

  of(value: string): T {
    const known = this.#things.get(value);
    if (known !== undefined) return known;
    if (this.#things.size >= this.#maxValues && value !== otherLabel) return this.of(otherLabel);
    const created = this.#create();
    this.#things.set(value, created);
    return created;
  }

  entries(): IterableIterator<[string, T]> {
    return this.#things.entries();
  }
}
