import { performance } from 'node:perf_hooks';

/** A connection with octets that were read and not yet dealt with. */
export interface Reader {
  readOn(): void;
}

/**
 * So long may requests be read in one turn of the loop, in ms; what follows from them takes several times as long. Under
 * twice the load that can be served, half of what can be was served with this, a quarter with 2 ms, and a twentieth when all
 * was read that had come.
 */
const sliceMs = 0.5;

/**
 * Shares the loop between reading requests and everything else. Without it a flood is read to its end in one turn, and what
 * the service has to do for each request comes to a standstill behind it.
 */
export class ReadTurns {
  #waiting: Reader[] = [];
  #isOpen = false;
  #until = 0;
  #idleMs = 0;
  #awakeSince = 0;

  /** Whether what was read may be dealt with now; else the reader is to {@link wait}. `now` is monotonic, in ms. */
  admits(now: number): boolean {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#until = now + sliceMs;
      setImmediate(() => this.#close());
    }
    return now < this.#until;
  }

  /** Has this reader called in a turn to come, after those that wait already. */
  wait(reader: Reader): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#readOn());
    this.#waiting.push(reader);
  }

  /** Since when the loop has had no time to wait: what is read now came after that. */
  awakeSince(now: number): number {
    const { idleTime } = performance.nodeTiming;
    if (idleTime !== this.#idleMs) {
      this.#idleMs = idleTime;
      this.#awakeSince = now;
    }
    return this.#awakeSince;
  }

  #close(): void {
    this.#isOpen = false;
  }

  #readOn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const reader of waiting) reader.readOn();
  }
}
