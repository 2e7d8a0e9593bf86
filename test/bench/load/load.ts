import { Histogram } from './histogram.ts';
import { Lane, type LaneEvents } from './lane.ts';
import type { Pace } from './pace.ts';
import type { PreparedCalls } from './prepared-calls.ts';

/** What was measured; times in microseconds. */
export interface Tally {
  /** Of the calls that succeeded, from when they were due. */
  readonly latencies: Histogram;
  /** How much later than due the calls were sent. */
  readonly delays: Histogram;
  calls: number;
  failed: number;
  seconds: number;
}

export interface LoadOptions {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly streams: number;
  readonly calls: PreparedCalls;
  /** Which call is next. */
  nextKey(): number;
}

/** With no answer for so long, none is expected any more. */
const patienceMs = 10_000;

/** The load of all connections together. It opens them once, and may then run several times. */
export class LoadRun {
  readonly #options: LoadOptions;
  readonly #lanes: readonly Lane[];
  readonly #connected: Promise<void>;
  readonly #ended = Promise.withResolvers<never>();
  #lastLane = 0;
  #pace: Pace | undefined;
  #tally: Tally = emptyTally();
  #startMs = 0;
  #sent = 0;
  #finish: () => void = () => undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
    const connected = Promise.withResolvers<void>();
    let missing = options.connections;
    const events: LaneEvents = {
      connected: () => --missing === 0 && connected.resolve(),
      answered: (due, now, isOk) => this.#count(due, now, isOk),
      wasRead: () => this.sendDue(),
      lost: (error) => this.#ended.reject(error),
    };
    this.#connected = connected.promise;
    this.#ended.promise.catch(() => undefined); // whoever waits hears of it
    this.#lanes = Array.from({ length: options.connections }, () => new Lane({ ...options, events }));
  }

  /** Resolves when all connections stand. */
  async connected(): Promise<void> {
    await Promise.race([this.#connected, this.#ended.promise]);
  }

  /** Sends calls at this pace and resolves when all are answered. */
  async run(pace: Pace): Promise<Tally> {
    const finished = Promise.withResolvers<void>();
    this.#finish = finished.resolve;
    this.#tally = emptyTally();
    this.#sent = 0;
    this.#pace = pace;
    this.#startMs = performance.now();
    const watch = this.#watch();
    try {
      this.sendDue();
      await Promise.race([finished.promise, this.#ended.promise]);
    } finally {
      clearInterval(watch);
      this.#pace = undefined;
    }
    this.#tally.seconds = (performance.now() - this.#startMs) / 1000;
    return this.#tally;
  }

  /** Sends what is due and has room, over the connections in turn. To be called when calls may be due. */
  sendDue(): void {
    const pace = this.#pace;
    if (pace === undefined) return;
    const now = performance.now() - this.#startMs;
    for (let lane = this.#nextLane(); lane !== undefined; lane = this.#nextLane()) {
      const due = pace.take(now);
      if (due === undefined) break;
      lane.send(this.#options.nextKey(), due);
      this.#sent++;
      this.#tally.delays.record((now - due) * 1000);
    }
    for (const lane of this.#lanes) lane.flush();
    if (this.#sent === this.#tally.calls && pace.isOver) this.#finish();
  }

  /** How many connections it took, with those that replaced others. */
  get opened(): number {
    return this.#lanes.reduce((sum, { opened }) => sum + opened, 0);
  }

  close(): void {
    for (const lane of this.#lanes) lane.close();
  }

  #nextLane(): Lane | undefined {
    const { length } = this.#lanes;
    for (let tried = 0; tried < length; tried++) {
      this.#lastLane = (this.#lastLane + 1) % length;
      const lane = this.#lanes[this.#lastLane];
      if (lane?.hasRoom) return lane;
    }
    return undefined;
  }

  #count(due: number, now: number, isOk: boolean): void {
    this.#tally.calls++;
    if (isOk) this.#tally.latencies.record((now - this.#startMs - due) * 1000);
    else this.#tally.failed++;
  }

  #watch(): NodeJS.Timeout {
    let seen = -1;
    return setInterval(() => {
      const { calls } = this.#tally;
      if (seen === calls && this.#sent > calls) {
        this.#ended.reject(new Error(`${this.#sent - calls} calls got no answer for ${patienceMs} ms`));
      }
      seen = calls;
    }, patienceMs);
  }
}

function emptyTally(): Tally {
  return { latencies: new Histogram(), delays: new Histogram(), calls: 0, failed: 0, seconds: 0 };
}
