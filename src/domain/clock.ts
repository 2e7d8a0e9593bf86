/** Time as the core sees it: handed in, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch: windows of the memory store, logs. */
  now(): number;
  /** Milliseconds from an arbitrary start, never stepping back: deadlines, waits. */
  monotonic(): number;
}

export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
});
