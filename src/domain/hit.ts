import type { KeyFingerprint } from './key-fingerprint.ts';

/**
 * One operation on one counter.
 *
 * Counters count in fixed windows that are aligned to the Unix epoch. A key names a counter and holds its window's
 * length, so one key never has two lengths (`counter-key.ts`).
 */
export interface Hit {
  /** Printable ASCII. */
  readonly key: string;
  readonly fingerprint: KeyFingerprint;
  /** Length of the window in whole seconds, from 1. */
  readonly windowSeconds: number;
  /** -(2^32-1) to 2^32-1. Positive: taken. 0: a look, which changes nothing. Negative: given back. */
  readonly cost: number;
  /** 0 to 2^32-1. Counting does not depend on it; denying does. */
  readonly limit: number;
  /** What it means for the request when the count after this hit is above the limit. */
  readonly denies: Denies;
}

/**
 * `always`: the request is denied. `together`: it is denied if all hits of this kind are over (quotas).
 * `never`: nothing follows (shadow rules).
 */
export type Denies = 'always' | 'together' | 'never';
