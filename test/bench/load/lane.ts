import {
  type ConnectionEvents,
  type ConnectionOptions,
  LoadConnection,
  type UnansweredCall,
} from './connection.ts';

/** A lane deals with the end of its connections itself. */
export type LaneEvents = Omit<ConnectionEvents, 'goesAway' | 'ended'>;

/** What a connection needs, for each that the lane opens. */
export interface LaneOptions extends Omit<ConnectionOptions, 'events'> {
  readonly events: LaneEvents;
}

/**
 * One connection of the load, whatever the server does to it: when it is told to go away, the next calls and
 * those that the server has refused go over a new one, as with Envoy.
 */
export class Lane {
  readonly #options: LaneOptions;
  #connection: LoadConnection;
  /** Also those that still wait for their last answers. */
  readonly #alive = new Set<LoadConnection>();
  #opened = 0;
  #again: UnansweredCall[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#connection = this.#open();
  }

  /** How many connections it took so far. */
  get opened(): number {
    return this.#opened;
  }

  get hasRoom(): boolean {
    return this.#connection.hasRoom && this.#again.length === 0;
  }

  /** Sends a call with the next `flush`. There must be room. */
  send(key: number, due: number): void {
    this.#connection.send(key, due);
  }

  flush(): void {
    while (this.#again.length > 0 && this.#connection.hasRoom) {
      const call = this.#again.shift();
      if (call !== undefined) this.#connection.send(call.key, call.due);
    }
    this.#connection.flush();
  }

  close(): void {
    for (const connection of this.#alive) connection.close();
  }

  #open(): LoadConnection {
    const connection = new LoadConnection({
      ...this.#options,
      events: {
        ...this.#options.events,
        goesAway: (unanswered) => {
          this.#again.push(...unanswered);
          if (connection === this.#connection) this.#connection = this.#open();
        },
        ended: () => this.#alive.delete(connection),
      },
    });
    this.#alive.add(connection);
    this.#opened++;
    return connection;
  }
}
