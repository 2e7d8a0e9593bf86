import type { Clock } from '../../domain/clock.ts';

/** Deadlines are looked at no more often than this; a caller's budget leaves more than that in reserve. */
const tickMs = 2;

/** A timer that fires this late tells of a busy process, not of a slow store. */
const lagMs = 5;

/**
 * One timer for any number of deadlines.
 *
 * A timer that has expired may have done so while answers already wait in the socket, as timers run before reads: so the
 * deadlines are looked at after the loop's next round of reads, and if the timer was late, a little after that, since what
 * was to be sent in the meantime has only just gone out.
 */
export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #sweep: (now: number) => number;
  #armedFor = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #extended = false;

  /** @param sweep ends what is due and returns the next deadline, Infinity when there is none */
  constructor(clock: Clock, sweep: (now: number) => number) {
    this.#clock = clock;
    this.#sweep = sweep;
  }

  /** Has this deadline looked at when it is due. */
  watch(deadline: number): void {
    if (deadline < this.#armedFor) this.#arm(deadline);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #arm(deadline: number): void {
    clearTimeout(this.#timer);
    this.#armedFor = deadline;
    if (deadline === Number.POSITIVE_INFINITY) return;
    const wait = Math.max(tickMs, Math.ceil(deadline - this.#clock.monotonic()));
    const dueAt = this.#clock.monotonic() + wait;
    this.#timer = setTimeout(() => setImmediate(() => this.#fire(dueAt)), wait);
    this.#timer.unref();
  }

  #fire(dueAt: number): void {
    const now = this.#clock.monotonic();
    if (now - dueAt > lagMs && !this.#extended) {
      this.#extended = true;
      this.#arm(now + lagMs);
      return;
    }
    this.#extended = false;
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#arm(this.#sweep(now));
  }
}
