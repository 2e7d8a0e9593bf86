import type { Cluster, Redis } from 'ioredis';
import { isStoreError, type StoreError } from '../store-error.ts';
import { type Batch, keysOf } from './batch.ts';
import { CallQueue, type QueueContext, type Unplaced } from './call-queue.ts';
import { createSlotRefresh, type SlotRefresh } from './cluster-refresh.ts';
import { clusterSlot, slotCount } from './cluster-slot.ts';
import { connectCluster } from './connect.ts';
import type { RedisConnection, RedisTopology } from './redis-connection.ts';
import { storeErrorOf } from './redis-error.ts';
import { RedisNode } from './redis-node.ts';
import { callOnCluster } from './script-call.ts';
import { scriptOf } from './script-of.ts';
import type { Task } from './task.ts';
import type { DirectPlace, Topology } from './topology.ts';

export interface ClusterTopologyOptions {
  readonly connection: RedisConnection;
  readonly topology: Extract<RedisTopology, { kind: 'cluster' }>;
  readonly scriptFlags: boolean;
  readonly answerTimeoutMs: number;
  readonly context: QueueContext;
}

/** How often a task may be sent elsewhere: once as it belongs to another node, once as that was not connected yet. */
const maxRedirects = 2;

/** Time for a node that a redirect named first to be connected. */
const connectPauseMs = 10;

/**
 * A Redis Cluster. Each node has a queue, and its calls, which may hold keys of any of its slots, go to the node itself.
 * Keys that turn out to be another node's are sent again one by one with the key declared, through the client that
 * follows redirects. Nodes that take no undeclared keys have a queue for each slot instead, with declared keys.
 */
export function createClusterTopology(options: ClusterTopologyOptions): Topology {
  const cluster = connectCluster(options.connection, options.topology, options.answerTimeoutMs);
  const topology = new ClusterTopology(cluster, options);
  return {
    route: (key) => topology.route(key),
    placeOf: (key) => topology.placeOf(key),
    isConnected: () => topology.isConnected(),
    ready: topology.ready,
    close: () => topology.close(),
  };
}

interface ClusterNode {
  readonly node: RedisNode;
  readonly queue: CallQueue;
}

class ClusterTopology {
  readonly ready: Promise<void>;
  readonly #becomeReady: () => void;
  #isReady = false;
  readonly #cluster: Cluster;
  readonly #options: ClusterTopologyOptions;
  readonly #nodes = new Map<string, ClusterNode>();
  readonly #slotQueues = new Map<number, CallQueue>();
  readonly #refresh: SlotRefresh;
  /** The last error of a node; tells why, while the slots are not known. */
  #trouble: StoreError = { kind: 'connection', message: 'not connected yet', node: '' };

  constructor(cluster: Cluster, options: ClusterTopologyOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#becomeReady = resolve;
    this.#cluster = cluster;
    this.#options = options;
    this.#refresh = createSlotRefresh(cluster);
    cluster.on('+node', (client: Redis) => this.#addNode(client));
    cluster.on('-node', (client: Redis) => this.#removeNode(client));
    cluster.on('refresh', () => {
      this.#connectMasters();
      this.#checkReady();
    });
    cluster.on('ready', () => this.#checkReady());
    cluster.on('node error', (error: Error, name: string) => {
      this.#trouble = storeErrorOf(error, name);
    });
    cluster.on('error', () => {
      // No node could tell the slots; the nodes' own errors say why.
      const { kind: errorKind, message, node } = this.#trouble;
      options.context.onEvent({ kind: 'unusable', node, errorKind, message });
    });
  }

  route(key: string): CallQueue | StoreError {
    const slot = clusterSlot(key);
    const name = this.#cluster.slots[slot]?.[0];
    const owner = name === undefined ? undefined : this.#nodes.get(name);
    if (owner === undefined) {
      this.#refresh.soon();
      if (this.#cluster.status !== 'ready') return this.#trouble;
      return { kind: 'connection', message: 'no node for this slot is connected', node: name ?? '' };
    }
    return owner.node.takesFlags ? owner.queue : this.#slotQueue(slot);
  }

  /** The client finds the node by the keys, and follows redirects. */
  placeOf(key: string): DirectPlace | StoreError {
    const place = this.route(key);
    if (isStoreError(place)) return place;
    const node = this.#cluster.slots[clusterSlot(key)]?.[0] ?? '';
    return {
      node,
      call: ({ scripts, ...call }) => {
        const script = this.#nodes.get(node)?.node.takesFlags === false ? scripts.plain : scripts.flagged;
        return callOnCluster(this.#cluster, { script, ...call });
      },
    };
  }

  isConnected(): boolean {
    return [...this.#nodes.values()].some(({ node }) => node.unavailable() === undefined);
  }

  close(): void {
    this.#refresh.stop();
    for (const { node } of this.#nodes.values()) node.close();
    this.#cluster.disconnect();
  }

  #addNode(client: Redis): void {
    const { context, scriptFlags } = this.#options;
    const name = nameOf(client);
    const { onEvent } = context;
    const onUsable = () => this.#checkReady();
    const node = new RedisNode(client, { node: name, db: 0, scriptFlags, onEvent, onUsable });
    const destination = {
      node: name,
      unavailable: () => node.unavailable(),
      breaker: () => node.breaker,
      send: (batch: Batch, isWanted: () => boolean) => node.send(batch, isWanted),
      redirect: (tasks: readonly Task[], reason: StoreError) => this.#redirect(tasks, reason),
      noticed: (error: StoreError) => this.#noticed(error),
    };
    this.#nodes.set(name, { node, queue: new CallQueue(destination, context) });
    // The pool connects on the first command; a replica is connected when it becomes a master.
    if (client.options.readOnly !== true) connect(client);
  }

  #removeNode(client: Redis): void {
    const name = nameOf(client);
    if (this.#nodes.get(name)?.node.client === client) this.#nodes.delete(name);
    this.#refresh.soon();
  }

  /**
   * Ready is when every slot's node is known and every master can take hits: before, some keys would only get errors.
   * The first answer about slots may have gaps: a node that has only just joined a cluster does not know its own address.
   */
  #checkReady(): void {
    if (this.#isReady || this.#cluster.status !== 'ready') return;
    if (!this.#allSlotsKnown()) {
      this.#refresh.soon();
      return;
    }
    const masters = this.#cluster.nodes('master').map((client) => this.#nodes.get(nameOf(client))?.node);
    if (!masters.every((node) => node !== undefined && node.unavailable() === undefined)) return;
    this.#isReady = true;
    this.#becomeReady();
  }

  #allSlotsKnown(): boolean {
    const { slots } = this.#cluster;
    for (let slot = 0; slot < slotCount; slot += 1) {
      if (slots[slot]?.[0] === undefined) return false;
    }
    return true;
  }

  #connectMasters(): void {
    for (const client of this.#cluster.nodes('master')) connect(client);
  }

  /** A queue for the keys of a slot, for nodes that want keys declared. */
  #slotQueue(slot: number): CallQueue {
    let queue = this.#slotQueues.get(slot);
    if (queue === undefined) {
      queue = this.#declaredQueue(slot);
      this.#slotQueues.set(slot, queue);
    }
    return queue;
  }

  /** A queue whose calls declare their keys, all of this slot, and go to whichever node has it. */
  #declaredQueue(slot: number): CallQueue {
    const cluster = this.#cluster;
    const ownerName = () => cluster.slots[slot]?.[0] ?? '';
    const owner = () => this.#nodes.get(ownerName())?.node;
    const destination = {
      get node() {
        return ownerName();
      },
      unavailable: (): StoreError | undefined => {
        if (cluster.status === 'ready') return undefined;
        return this.#trouble;
      },
      breaker: () => owner()?.breaker,
      send: (batch: Batch, isWanted: () => boolean) => {
        const script = scriptOf(batch, owner()?.takesFlags ?? true);
        return callOnCluster(cluster, { script, keys: keysOf(batch), args: batch.args, isWanted });
      },
      redirect: (tasks: readonly Task[], reason: StoreError) => this.#redirect(tasks, reason),
      noticed: (error: StoreError) => this.#noticed(error),
    };
    return new CallQueue(destination, this.#options.context);
  }

  /**
   * Sends tasks again. A group whose keys share a slot is tried as it is once; after that each key goes in a call of its own, as
   * several keys of a slot that is on the move get TRYAGAIN.
   */
  #redirect(tasks: readonly Task[], reason: StoreError): Unplaced {
    const unplaced: Task[] = [];
    const queues = new Map<string, CallQueue>();
    const queueOf = (key: string) => {
      const queue = queues.get(key) ?? this.#declaredQueue(clusterSlot(key));
      queues.set(key, queue);
      return queue;
    };
    for (const task of tasks) {
      task.redirects += 1;
      const key = onlyKey(task) ?? (task.redirects === 1 ? keyOfOnlySlot(task) : undefined);
      if (task.kind === 'group' && key === undefined) task.split(queueOf);
      else if (key === undefined || task.redirects > maxRedirects) unplaced.push(task);
      else if (task.redirects === 1) queueOf(key).add(task);
      else setTimeout(() => queueOf(key).add(task), connectPauseMs);
    }
    return { tasks: unplaced, error: reason };
  }

  #noticed(error: StoreError): void {
    if (['cluster', 'readonly', 'connection'].includes(error.kind)) this.#refresh.soon();
  }
}

function connect(client: Redis): void {
  // A failure shows as an error event and in what its hits get.
  if (client.status === 'wait') client.connect().catch(() => {});
}

function nameOf(client: Redis): string {
  return `${client.options.host}:${client.options.port}`;
}

/** undefined for a group of several keys. */
function onlyKey(task: Task): string | undefined {
  if (task.kind === 'hit') return task.hit.key;
  if (task.kind === 'compensation') return task.key;
  const [first] = task.hits;
  return task.hits.every(({ key }) => key === first?.key) ? first?.key : undefined;
}

/** One of a group's keys, when all of them are in one slot. */
function keyOfOnlySlot(task: Task): string | undefined {
  if (task.kind !== 'group') return undefined;
  const [first] = task.hits;
  if (first === undefined) return undefined;
  const slot = clusterSlot(first.key);
  return task.hits.every(({ key }) => clusterSlot(key) === slot) ? first.key : undefined;
}
