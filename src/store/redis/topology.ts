import type { StoreError } from '../store-error.ts';
import type { CallQueue } from './call-queue.ts';
import type { ScriptCall } from './script-call.ts';
import type { LuaScript } from './scripts.gen.ts';

/** Where a script can be called without a queue. */
export interface DirectPlace {
  readonly node: string;
  /** Rejects with what the client or the server said. */
  call(call: DirectCall): Promise<unknown>;
}

/** All keys are of one slot, and declared. */
export interface DirectCall extends Omit<ScriptCall, 'script'> {
  /** For servers that take flags, and for others. */
  readonly scripts: { readonly flagged: LuaScript; readonly plain: LuaScript };
}

/** One Redis, standalone or behind Sentinels, or one cluster: finds where a key's counter lives. */
export interface Topology {
  /**
   * The queue of the place that has this key; hits with the same queue can be one group.
   * An error when no such place is known now.
   */
  route(key: string): CallQueue | StoreError;
  /** The place of this key, for a call that is made by itself; an error when none is known now. */
  placeOf(key: string): DirectPlace | StoreError;
  isConnected(): boolean;
  /** Resolves when its nodes, all masters of a cluster, first took hits. */
  readonly ready: Promise<void>;
  close(): void;
}
