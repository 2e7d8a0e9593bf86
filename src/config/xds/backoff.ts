import { createRetryDelay, jittered, type RetryDelayOptions } from '../retry-delay.ts';

/** `initialMs` and `maxMs` are about streams that ended. */
export interface BackoffOptions extends RetryDelayOptions {
  /** While the server cannot be reached: the time to the next try, in ms. */
  readonly connectRetryMs: number;
}

/** How long to wait before the next try. */
export interface Backoff {
  afterUnreachable(): number;
  afterStream(): number;
  /** All is well: the next stream that ends is the first again. */
  reset(): void;
}

export function createBackoff(options: BackoffOptions): Backoff {
  const streams = createRetryDelay(options);
  return {
    afterUnreachable: () => jittered(options.connectRetryMs, options),
    afterStream: streams.next,
    reset: streams.reset,
  };
}
