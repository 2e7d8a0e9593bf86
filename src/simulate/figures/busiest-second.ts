/** The second with most of something. */
export interface Peak {
  /** Its beginning, in ms since the epoch. */
  readonly atMs: number;
  readonly count: number;
}

/** Finds the busiest second of times that never go back; of equal ones the first. */
export class BusiestSecond {
  #second = 0;
  #count = 0;
  #peakSecond = 0;
  #peakCount = 0;

  add(timeMs: number, count: number): void {
    const second = Math.floor(timeMs / 1_000);
    if (second === this.#second) this.#count += count;
    else {
      this.#second = second;
      this.#count = count;
    }
    if (this.#count > this.#peakCount) {
      this.#peakCount = this.#count;
      this.#peakSecond = second;
    }
  }

  /** undefined when there was nothing. */
  get peak(): Peak | undefined {
    return this.#peakCount === 0 ? undefined : { atMs: this.#peakSecond * 1_000, count: this.#peakCount };
  }
}
