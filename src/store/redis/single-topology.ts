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
  readonly context: QueueContext;
}

/** One Redis that has all keys: standalone, or the master that Sentinels name. */
export function createSingleTopology(options: SingleTopologyOptions): Topology {
  const { connection, topology, scriptFlags, answerTimeoutMs, context } = options;
  const { promise: ready, resolve: onUsable } = Promise.withResolvers<void>();
  const name = topology.kind === 'standalone' ? formatAddress(topology.address) : topology.masterName;
  const client = connectSingle(connection, topology, answerTimeoutMs);
  const node = new RedisNode(client, { node: name, scriptFlags, onEvent: context.onEvent, onUsable });
  const destination: Destination = {
    node: name,
    unavailable: () => node.unavailable(),
    send: (batch, isWanted) => node.send(batch, isWanted),
    // There is no other place. A server in cluster mode was given as a single one.
    redirect: (tasks, reason) => {
      for (const task of tasks) task.fail(reason);
    },
    noticed: (error) => node.noticed(error),
  };
  const queue = new CallQueue(destination, context);
  return {
    route: () => queue,
    isConnected: () => node.unavailable() === undefined,
    ready,
    close: () => node.close(),
  };
}
