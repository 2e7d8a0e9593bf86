/** What one turn of the loop may take of a connection's messages, in octets: about as much as one read. */
const octetsInTurn = 65_536;
/** A message costs this much besides. */
const octetsPerMessage = 1_024;

/** Somebody's place among those who wait. */
export interface Turn {
  readonly hasCome: Promise<void>;
}

interface Waiting extends Turn {
  readonly cost: number;
  readonly go: () => void;
}

/**
 * Who takes messages that were put together waits for a turn when enough were taken in this turn of the loop already, or
 * when the client does not read its answers. A client can have thousands of messages all but complete and then complete
 * them in one packet: done at once, that would hold up everybody for seconds, and all answers would be there together.
 */
export class Turns {
  readonly #mayGoOn: () => boolean;
  readonly #waiting = new Set<Waiting>();
  #left = octetsInTurn;
  #isDue = false;

  constructor(mayGoOn: () => boolean) {
    this.#mayGoOn = mayGoOn;
  }

  /** @returns undefined: now */
  next(octets: number): Turn | undefined {
    const cost = octets + octetsPerMessage;
    if (this.#waiting.size === 0 && this.#take(cost)) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { cost, hasCome: promise, go: resolve };
    this.#waiting.add(waiting);
    return waiting;
  }

  /** It is not needed any more, and comes at once. */
  leave(turn: Turn): void {
    const waiting = turn as Waiting;
    this.#waiting.delete(waiting);
    waiting.go();
  }

  /** Those who wait may go on, if they may. */
  resume(): void {
    for (const waiting of this.#waiting) {
      if (!this.#take(waiting.cost)) return;
      this.#waiting.delete(waiting);
      waiting.go();
    }
  }

  /** The last one of a turn may cost more than is left. */
  #take(cost: number): boolean {
    if (this.#left <= 0 || !this.#mayGoOn()) return false;
    if (!this.#isDue) this.#begin();
    this.#left -= cost;
    return true;
  }

  #begin(): void {
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#left = octetsInTurn;
      this.resume();
    });
  }
}
