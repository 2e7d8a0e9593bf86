/**
 * The thread of `arrival-clock.ts`: it knows the same arrivals as the load and sleeps from one to the next.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { poissonArrivals } from './arrivals.ts';

export interface ClockSettings {
  /** One number that is counted up, and notified, at each moment. */
  readonly wakes: Int32Array;
  readonly rate: number;
  readonly seed: number;
}

/** Shorter sleeps would cost ever more CPU, for calls that are a tenth of a millisecond less late. */
const leastSleepMs = 0.2;

const { wakes, rate, seed } = workerData as ClockSettings;

/** @param start by `process.hrtime`, which unlike `performance.now` is the same in all threads */
function wakeAtArrivals(start: bigint): never {
  const sleeping = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const nextArrival = poissonArrivals(rate, seed);
  let due = nextArrival();
  for (;;) {
    const now = Number(process.hrtime.bigint() - start) / 1e6;
    while (due <= now) due = nextArrival();
    Atomics.wait(sleeping, 0, 0, Math.max(leastSleepMs, due - now));
    Atomics.add(wakes, 0, 1);
    Atomics.notify(wakes, 0);
  }
}

// The loop has no end of its own: whoever started the thread terminates it.
parentPort?.once('message', wakeAtArrivals);
parentPort?.postMessage('ready');
