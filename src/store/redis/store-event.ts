import type { StoreErrorKind } from '../store-error.ts';

/** Which Redis: that of all limits, or the one for limits per second where there is one. */
export type RedisPool = 'redis' | 'perSecond';

/** `half-open`: one call is on its way to find out whether the node answers again. */
export type BreakerState = 'closed' | 'open' | 'half-open';

export interface BreakerChange {
  readonly from: BreakerState;
  readonly to: BreakerState;
  /** The kind of the last failure; `probe`: it is time to ask again; `answered`: it was; `connected`: it is a new connection. */
  readonly cause: StoreErrorKind | 'probe' | 'answered' | 'connected';
  /** For logs. */
  readonly reason: string;
}

/** What the Redis store tells of itself, for metrics and logs. No text in it holds a secret or a caller's key. */
export type RedisStoreEvent = RedisPoolEvent & { readonly pool: RedisPool };

/** What one Redis, standalone, behind Sentinels or a cluster, tells of itself. */
export type RedisPoolEvent =
  /** A script call was answered, or failed. */
  | {
      readonly kind: 'call';
      readonly node: string;
      readonly hits: number;
      /** Fewer than hits where equal keys were joined. */
      readonly operations: number;
      readonly ms: number;
    }
  /** Hits got an error instead of a state. */
  | {
      readonly kind: 'error';
      readonly node: string;
      readonly errorKind: StoreErrorKind;
      readonly hits: number;
      readonly message: string;
    }
  /** A connection was opened, or closed. */
  | { readonly kind: 'opened' | 'closed'; readonly node: string }
  /** A node answered the first call on a connection and takes hits. */
  | { readonly kind: 'usable'; readonly node: string; readonly scriptFlags: boolean }
  /** A node drops counters when its memory is full (`maxmemory-policy`): what they counted is forgotten. */
  | { readonly kind: 'evicting'; readonly node: string; readonly policy: string }
  /** A node can't be reached or can't be used; told at each attempt. */
  | {
      readonly kind: 'unusable';
      readonly node: string;
      readonly errorKind: StoreErrorKind;
      readonly message: string;
    }
  /** A node's breaker opened, lets a call through, or closed again. */
  | ({ readonly kind: 'breaker'; readonly node: string } & BreakerChange)
  /** A denied request's hits on one node that could not be given back, or of which that is not known. */
  | { readonly kind: 'compensation-lost'; readonly node: string; readonly hits: number };

/** Must not throw. */
export type RedisPoolListener = (event: RedisPoolEvent) => void;

/** Must not throw. */
export type RedisStoreListener = (event: RedisStoreEvent) => void;
