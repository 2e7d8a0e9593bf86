import type { Clock } from '../../domain/clock.ts';

/** Deadlines are looked at no more often than this; a caller's budget leaves more than that in reserve. */
const tickMs = 2;

/** A timer that is this late tells of a busy process, not of a slow store. What was late then gets as long again. */
const lagMs = 5;

/** So often for one deadline: a process that is never in time still ends every call. */
const maxExtensions = 5;

/**
 * One timer for any number of deadlines.
 *
 * Timers run before reads, so when one expires, answers that came in time may still wait in the socket: the deadlines are
 * looked at after the loop's next round of reads, as they stood when the timer expired. If the process was late, calls
 * have only just gone out: the timer is extended a little, and again if that was late as well. Deadlines that have seen
 * enough extensions are looked at in any case; those that came due in between have had none of their own yet.
 */
export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #sweep: (readAt: number) => number;
  #armedFor = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #extensions = 0;
  /** When the first of these extensions began. */
  #lateSince = 0;

  /**
   * @param sweep ends what was due at this time, when all that had arrived by then has been read; returns the next
   * deadline, Infinity when there is none
   */
  constructor(clock: Clock, sweep: (readAt: number) => number) {
    this.#clock = clock;
    this.#sweep = sweep;
  }

  /** Has this deadline looked at when it is due, or at the end of an extension. */
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
    this.#start(Math.max(tickMs, Math.ceil(deadline - this.#clock.monotonic())));
  }

  #start(wait: number): void {
    const dueAt = this.#clock.monotonic() + wait;
    this.#timer = setTimeout(() => {
      const readAt = this.#clock.monotonic();
      setImmediate(() => this.#fire(dueAt, readAt));
    }, wait);
    this.#timer.unref();
  }

  #fire(dueAt: number, readAt: number): void {
    if (this.#clock.monotonic() - dueAt > lagMs) {
      this.#extend(readAt);
      return;
    }
    this.#extensions = 0;
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#arm(this.#sweep(readAt));
  }

  #extend(readAt: number): void {
    if (this.#extensions === maxExtensions) {
      this.#extensions = 0;
      this.#sweep(this.#lateSince);
    }
    if (this.#extensions === 0) this.#lateSince = readAt;
    this.#extensions += 1;
    // No deadline is earlier, so none cuts it short.
    this.#armedFor = Number.NEGATIVE_INFINITY;
    this.#start(lagMs);
  }
}
