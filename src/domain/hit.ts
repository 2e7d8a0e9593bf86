import type { Counting } from './counting.ts';
import type { KeyFingerprint } from './key-fingerprint.ts';

/**
 * One operation on one counter.
 *
 * A key names a counter and holds how it counts, so one key never counts in two ways (`counter-key.ts`).
 */
export interface Hit {
  /** Printable ASCII. */
  readonly key: string;
  readonly fingerprint: KeyFingerprint;
  readonly counting: Counting;
  /** It may be counted where limits of a second are (REDIS_PERSECOND). */
  readonly isPerSecond: boolean;
  /** -(2^32-1) to 2^32-1. Positive: taken. 0: a look, which changes nothing. Negative: given back. */
  readonly cost: number;
  /** 0 to 2^32-1; of a token bucket its burst. Counting in windows does not depend on it; denying does. */
  readonly limit: number;
  /** What it means for the request when the count after this hit is above the limit. */
  readonly denies: Denies;
}

/**
 * `always`: the request is denied. `together`: it is denied if all hits of this kind are over (quotas). `with-previous`: it
 * is one with the hit before it, and they are over when either is (several limits of one quota). `never`: nothing follows
 * (shadow rules).
 */
export type Denies = 'always' | 'together' | 'with-previous' | 'never';
