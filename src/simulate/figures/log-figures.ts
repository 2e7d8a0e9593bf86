import type { VirtualClock } from '../virtual-clock.ts';

/** A line that could not be used. */
export interface BadLine {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** Bad lines that are named; the others are only counted. */
const namedBadLines = 10;

/** What the log held. */
export class LogFigures {
  /** Lines that are not blank. */
  lines = 0;
  requests = 0;
  /** Lines that ask for no decision, by the mapping. */
  passed = 0;
  bad = 0;
  /** Requests with an earlier time than one before them: they counted at the later time. */
  late = 0;
  /** How far back the latest of them was, in ms. */
  mostLateMs = 0;
  readonly firstBad: BadLine[] = [];
  #fromMs: number | undefined;
  #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** @param backMs how far its time lies before the clock's */
  addRequest(backMs: number): void {
    this.requests += 1;
    this.#fromMs ??= this.#clock.now();
    if (backMs === 0) return;
    this.late += 1;
    this.mostLateMs = Math.max(this.mostLateMs, backMs);
  }

  addBad(line: number, message: string): void {
    this.bad += 1;
    if (this.firstBad.length < namedBadLines) this.firstBad.push({ line, message });
  }

  /** From the first request to the latest, in ms since the epoch; undefined without requests. */
  get period(): { readonly fromMs: number; readonly toMs: number } | undefined {
    return this.#fromMs === undefined ? undefined : { fromMs: this.#fromMs, toMs: this.#clock.now() };
  }
}
