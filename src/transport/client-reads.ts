import type { ReadTurns } from './read-turns.ts';

export interface ClientReadsOptions {
  /** Monotonic, in ms. */
  readonly now: () => number;
  readonly readTurns: ReadTurns;
  /** Deals with some octets, from there on. @returns where it stopped */
  readonly feed: (chunk: Buffer, start: number, now: number, arrivedAt: number) => number;
}

/** Octets that were read. */
interface Read {
  readonly chunk: Buffer;
  /** How far they were dealt with. */
  at: number;
  readonly arrivedAt: number;
}

/** As much as Node reads at once: there may be more. */
const wholeReadBytes = 65_536;

/** What was read of a client, which is dealt with as far as the turn of the loop allows. */
export class ClientReads {
  readonly #options: ClientReadsOptions;
  /** When nothing of the client's was left unread. */
  #drainedAt: number;
  #waiting: Read[] = [];

  constructor(options: ClientReadsOptions) {
    this.#options = options;
    this.#drainedAt = options.now();
  }

  /** Whether something waits for another turn: the client is not to be read then. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Something was read. */
  add(chunk: Buffer): void {
    const read = { chunk, at: 0, arrivedAt: this.#arrivalOf(chunk, this.#options.now()) };
    if (this.isWaiting || !this.#dealWith(read)) this.#waiting.push(read);
  }

  /** Another turn has come. */
  goOn(): void {
    while (this.#waiting[0] !== undefined && this.#dealWith(this.#waiting[0])) this.#waiting.shift();
  }

  clear(): void {
    this.#waiting = [];
  }

  /** @returns whether all of it was dealt with */
  #dealWith(read: Read): boolean {
    const { now, readTurns, feed } = this.#options;
    while (read.at < read.chunk.length) {
      const time = now();
      if (!readTurns.admits(time)) return false;
      read.at = feed(read.chunk, read.at, time, read.arrivedAt);
    }
    return true;
  }

  /**
   * Octets lie in the system's buffer until they are read. They came after the last time when that was empty, and after
   * the loop last waited; in the middle, on the average.
   */
  #arrivalOf({ length }: Buffer, now: number): number {
    const earliest = Math.max(this.#drainedAt, this.#options.readTurns.awakeSince(now));
    if (length < wholeReadBytes) this.#drainedAt = now;
    return (earliest + now) / 2;
  }
}
