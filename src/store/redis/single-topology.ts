import type { StoreError } from '../store-error.ts';
import { CallQueue, type Destination, type QueueContext } from './call-queue.ts';
import { connectSingle } from './connect.ts';
import { formatAddress, type RedisConnection, type RedisTopology } from './redis-connection.ts';
import { RedisNode } from './redis-node.ts';
import type { Topology } from './topology.ts';

export interface SingleTopologyOptions {
  readonly connection: RedisConnection;
  readonly topology: Exclude<RedisTopology, { kind: 'cluster' }>;
  readonly scriptFlags: boolean;
  readonly answerTimeoutMs: number;
  /** Name of the setting that says which topology it is, for advice. */
  readonly typeSetting: string;
  readonly context: QueueContext;
}

/** One Redis that has all keys: standalone, or the master that Sentinels name. */
export function createSingleTopology(options: SingleTopologyOptions): Topology {
  const { connection, topology, scriptFlags, answerTimeoutMs, context } = options;
  const { promise: ready, resolve: onUsable } = Promise.withResolvers<void>();
  const name = topology.kind === 'standalone' ? formatAddress(topology.address) : topology.masterName;
  const client = connectSingle(connection, topology, answerTimeoutMs);
  const { db } = connection;
  const node = new RedisNode(client, { node: name, db, scriptFlags, onEvent: context.onEvent, onUsable });
  const destination: Destination = {
    node: name,
    unavailable: () => node.unavailable(),
    breaker: () => node.breaker,
    send: (batch, isWanted) => node.send(batch, isWanted),
    redirect: (tasks, reason) => ({ tasks, error: withAdvice(reason, options.typeSetting) }),
    noticed: (error) => node.noticed(error),
  };
  const queue = new CallQueue(destination, context);
  return {
    route: () => queue,
    placeOf: () => node.unavailable() ?? { node: name, call: (call) => node.call(call) },
    isConnected: () => node.unavailable() === undefined,
    ready,
    close: () => node.close(),
  };
}

/** There is no other place: a server in cluster mode was given as a single one. */
function withAdvice(reason: StoreError, typeSetting: string): StoreError {
  if (reason.kind !== 'cluster') return reason;
  return { ...reason, message: `${reason.message}; the node is in cluster mode: set ${typeSetting}=CLUSTER` };
}
