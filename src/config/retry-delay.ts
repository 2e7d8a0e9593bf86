export interface RetryDelayOptions {
  /** The first time to the next try, in ms, and the longest. Each is twice the one before. */
  readonly initialMs: number;
  readonly maxMs: number;
  /** How far each time may be off at random, up and down, as a share of it: 0 to 1. */
  readonly jitter: number;
  /** From 0 to below 1. */
  readonly random?: (() => number) | undefined;
}

/** How long to wait before the next try. */
export interface RetryDelay {
  /** In ms. */
  next(): number;
  /** All is well: the next failure is the first again. */
  reset(): void;
}

export function createRetryDelay(options: RetryDelayOptions): RetryDelay {
  const first = Math.min(options.initialMs, options.maxMs);
  let next = first;
  return {
    next() {
      const present = next;
      next = Math.min(2 * next, options.maxMs);
      return jittered(present, options);
    },
    reset() {
      next = first;
    },
  };
}

/** A time that is off at random, so that replicas do not all come at once. */
export function jittered(
  milliseconds: number,
  { jitter, random = Math.random }: Pick<RetryDelayOptions, 'jitter' | 'random'>,
): number {
  return milliseconds * (1 + jitter * (2 * random() - 1));
}
