/** A token bucket: so many at once, and then so many in a second. */
export class RateBucket {
  readonly #burst: number;
  readonly #perMs: number;
  #tokens: number;
  #at: number;

  constructor(burst: number, perSecond: number, now: number) {
    this.#burst = burst;
    this.#perMs = perSecond / 1000;
    this.#tokens = burst;
    this.#at = now;
  }

  /** false when there are none left. */
  take(now: number): boolean {
    // Tokens beyond a burst were added, and stay.
    if (this.#tokens < this.#burst) {
      this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#perMs);
    }
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Allows one more; such extra tokens don't pile up beyond another burst. */
  add(): void {
    this.#tokens = Math.min(2 * this.#burst, this.#tokens + 1);
  }
}
