import { Worker } from 'node:worker_threads';

/** Longer than any work that is waited for, on a busy machine. */
const longestMs = 60_000;

/** Ends the process when an iteration does not: what never returns can't be looked at from within. */
export class Watchdog {
  readonly #beats = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  /** Before that, nothing is watched: the thread can't begin while this one is busy. */
  readonly isReady: Promise<void>;

  /** @param how the words with which an iteration is found again, before its number */
  constructor(how: string, patienceMs = longestMs) {
    this.#worker = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
      workerData: { beats: this.#beats, how, patienceMs },
      execArgv: [],
    });
    this.isReady = new Promise<void>((resolve) => {
      this.#worker.once('message', () => {
        this.#worker.unref();
        resolve();
      });
    });
  }

  beat(iteration: number): void {
    this.#beats[1] = iteration;
    Atomics.add(this.#beats, 0, 1);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
