import type { HeaderField } from './static-table.ts';

/** What an entry counts for beside its octets: RFC 7541, 4.1. */
const overhead = 32;

/** The fields that a connection's header blocks have added; the oldest make room for new ones: RFC 7541, 2.3.2. */
export class DynamicTable {
  /** Changes with the entries, and with the bound of their size. */
  generation = 0;
  readonly #largestBound: number;
  #bound: number;
  #size = 0;
  #count = 0;
  /** A ring: from #newest on the entries become older, and the first slot follows the last. */
  readonly #slots: (HeaderField | undefined)[];
  #newest = 0;

  /** The bound at first is also the largest that there may be: SETTINGS_HEADER_TABLE_SIZE. */
  constructor(bound: number) {
    this.#largestBound = bound;
    this.#bound = bound;
    this.#slots = new Array(Math.floor(bound / overhead)).fill(undefined);
  }

  /** The newest entry is 0. */
  at(index: number): HeaderField | undefined {
    return index < this.#count ? this.#slots[this.#slot(index)] : undefined;
  }

  /** A field larger than the bound empties the table, which is no error: RFC 7541, 4.4. */
  add(name: string, value: string): void {
    const size = name.length + value.length + overhead;
    this.#evict(this.#bound - size);
    if (size > this.#bound) return;
    this.#newest = this.#slot(this.#slots.length - 1);
    this.#slots[this.#newest] = [name, value];
    this.#count += 1;
    this.#size += size;
    this.generation += 1;
  }

  /** Sets the bound: RFC 7541, 4.3. False when it is above the largest. */
  resize(bound: number): boolean {
    if (bound > this.#largestBound) return false;
    if (bound !== this.#bound) this.generation += 1;
    this.#bound = bound;
    this.#evict(bound);
    return true;
  }

  #evict(bound: number): void {
    while (this.#size > bound && this.#count > 0) {
      this.#count -= 1;
      const oldest = this.#slot(this.#count);
      const [name, value] = this.#slots[oldest] as HeaderField;
      this.#size -= name.length + value.length + overhead;
      // The texts must not outlive the entry: in 128 slots they might be half a megabyte.
      this.#slots[oldest] = undefined;
      this.generation += 1;
    }
  }

  #slot(index: number): number {
    const slot = this.#newest + index;
    return slot < this.#slots.length ? slot : slot - this.#slots.length;
  }
}
