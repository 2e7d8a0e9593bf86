import type { StoreError } from '../store-error.ts';
import type { CallQueue } from './call-queue.ts';

/** One Redis, standalone or behind Sentinels, or one cluster: finds where a key's counter lives. */
export interface Topology {
  /**
   * The queue of the place that has this key; hits with the same queue can be one group.
   * An error when no such place is known now.
   */
  route(key: string): CallQueue | StoreError;
  isConnected(): boolean;
  /** Resolves when its nodes, all masters of a cluster, first took hits. */
  readonly ready: Promise<void>;
  close(): void;
}
