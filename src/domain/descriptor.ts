import type { Octets } from './octets.ts';
import type { Unit } from './unit.ts';

/** One key and value of a descriptor. The value may be empty. */
export interface Entry {
  readonly key: Octets;
  readonly value: Octets;
}

/** A limit that the request brings for its descriptor; it replaces the configured one. */
export interface LimitOverride {
  /** 0 to 2^32-1; 0 denies. */
  readonly requestsPerUnit: number;
  /** undefined when the request names no unit or one that does not exist: the request is then invalid. */
  readonly unit: Unit | undefined;
}

/** What is to be limited: entries in order, as Envoy's `envoy.extensions.common.ratelimit.v3.RateLimitDescriptor`. */
export interface Descriptor {
  /** May be empty; such a descriptor matches nothing. */
  readonly entries: readonly Entry[];
  readonly limit: LimitOverride | undefined;
  /** Present, also with 0 ("look, do not count"), it is used instead of the request's. Exact below 2^53. */
  readonly hitsAddend: number | undefined;
  /** The addend is given back. */
  readonly isNegativeHits: boolean;
}

/** A decoded `envoy.service.ratelimit.v3.RateLimitRequest`. */
export interface RateLimitRequest {
  readonly domain: Octets;
  readonly descriptors: readonly Descriptor[];
  /** 0 to 2^32-1; 0 means 1. */
  readonly hitsAddend: number;
}
