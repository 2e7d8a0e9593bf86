export interface BackoffOptions {
  /** While the server cannot be reached: the time to the next try, in ms. */
  readonly connectRetryMs: number;
  /** After a stream that ended: the first time to the next, in ms, and the longest. Each is twice the one before. */
  readonly initialMs: number;
  readonly maxMs: number;
  /** How far each time may be off at random, up and down, as a share of it: 0 to 1. */
  readonly jitter: number;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** How long to wait before the next try. */
export interface Backoff {
  afterUnreachable(): number;
  afterStream(): number;
  /** All is well: the next stream that ends is the first again. */
  reset(): void;
}

export function createBackoff(options: BackoffOptions): Backoff {
  const { connectRetryMs, initialMs, maxMs, jitter, random = Math.random } = options;
  const spread = (ms: number) => ms * (1 + jitter * (2 * random() - 1));
  let next = Math.min(initialMs, maxMs);
  return {
    afterUnreachable: () => spread(connectRetryMs),
    afterStream() {
      const present = next;
      next = Math.min(2 * next, maxMs);
      return spread(present);
    },
    reset() {
      next = Math.min(initialMs, maxMs);
    },
  };
}
