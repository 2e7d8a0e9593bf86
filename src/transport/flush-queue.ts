export interface Flushed {
  flush(): void;
}

/**
 * Has connections write once in each turn of the loop, when all that became ready in it is there: the answers to one read,
 * and to one reply of the store.
 */
export class FlushQueue {
  #waiting: Flushed[] = [];

  add(connection: Flushed): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(connection);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const connection of waiting) connection.flush();
  }
}
