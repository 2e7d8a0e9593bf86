const sliceMs = 100;
const slices = 10;

/** Numbers of results in the last second, to a tenth of it. */
export class ResultWindow {
  readonly #succeeded = new Float64Array(slices);
  readonly #failed = new Float64Array(slices);
  /** The slice that was last written, counted from the clock's beginning. */
  #slice = 0;

  /** `now` is monotonic, in ms. */
  add(now: number, succeeded: number, failed: number): void {
    this.#moveTo(now);
    const at = this.#slice % slices;
    this.#succeeded[at] = (this.#succeeded[at] as number) + succeeded;
    this.#failed[at] = (this.#failed[at] as number) + failed;
  }

  sums(now: number): { succeeded: number; failed: number } {
    this.#moveTo(now);
    let succeeded = 0;
    let failed = 0;
    for (let at = 0; at < slices; at += 1) {
      succeeded += this.#succeeded[at] as number;
      failed += this.#failed[at] as number;
    }
    return { succeeded, failed };
  }

  clear(): void {
    this.#succeeded.fill(0);
    this.#failed.fill(0);
  }

  /** Forgets what is a second old. */
  #moveTo(now: number): void {
    const slice = Math.floor(now / sliceMs);
    const passed = Math.min(slice - this.#slice, slices);
    for (let step = 0; step < passed; step += 1) {
      const at = (slice - step) % slices;
      this.#succeeded[at] = 0;
      this.#failed[at] = 0;
    }
    this.#slice = Math.max(slice, this.#slice);
  }
}
