/** Tells since when something has been under way: it counts as one for as long as it is the same, however it grows. */
export class Unfinished {
  #what: unknown;
  #since = 0;

  /**
   * Looks at it once more.
   * @param what undefined: nothing is under way
   * @returns for how long it has been seen, in ms
   */
  lookAt(what: unknown, now: number): number {
    if (what === undefined || what !== this.#what) this.#since = now;
    this.#what = what;
    return now - this.#since;
  }
}
