/**
 * What went wrong between Weir and a counter. The table in `redis/redis-error.ts` gives each of Redis' answers its kind;
 * the kind is the label of `weir_store_errors_total`.
 */
export type StoreErrorKind =
  | 'timeout' // no answer by the deadline; whether it counted is not known
  | 'connection' // the connection broke or is not there
  | 'overload' // too much waits for this node already
  | 'breaker' // the node's breaker is open, so it was not asked
  | 'loading' // LOADING, MASTERDOWN: the node is there and not ready
  | 'readonly' // READONLY: a replica was asked
  | 'cluster' // CLUSTERDOWN, TRYAGAIN, redirects that did not end
  | 'busy' // BUSY: another script holds the node
  | 'memory' // OOM, MISCONF, NOREPLICAS: the node takes no writes
  | 'denied' // NOAUTH, NOPERM, WRONGPASS
  | 'script' // NOSCRIPT after a retry, a compile error, an answer that makes no sense
  | 'data' // WRONGTYPE: the key holds something that is not a counter
  | 'other';

/** The state of a hit that has no answer. A value; it carries no stack, as there may be thousands a second. */
export interface StoreError {
  readonly kind: StoreErrorKind;
  /** For logs: the node's own words, without secrets and without keys of callers. */
  readonly message: string;
  /** `host:port`, the socket's path, or the name that Sentinels have for the master; empty when no node was asked. */
  readonly node: string;
}

export function isStoreError(state: object): state is StoreError {
  return 'kind' in state;
}
