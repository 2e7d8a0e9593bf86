import type { Unit } from './unit.ts';

/** So many hits in each window. Windows have a fixed length and are aligned to the Unix epoch. */
export interface RateLimit {
  /** 0 to 2^32-1; 0 denies. */
  readonly requestsPerUnit: number;
  /** Length of the window, a whole number of seconds from 1. */
  readonly windowSeconds: number;
  /** undefined when no unit has this length; answers then say UNKNOWN, which Envoy renders without a window. */
  readonly unit: Unit | undefined;
  /** Shown in answers; empty when the rule has none. */
  readonly name: string;
}

/** `limit_remaining` of an unlimited rule, and the largest limit and addend: 2^32-1. */
export const maxUint32 = 4_294_967_295;
