import { type Clock, systemClock } from '../../domain/clock.ts';
import type { Hit } from '../../domain/hit.ts';
import type { AdjustableStore, HitResult } from '../counter-store.ts';
import { isStoreError, type StoreError } from '../store-error.ts';
import { adjustOnRedis } from './adjust.ts';
import { type CallQueue, defaultQueueLimits, type QueueContext, type QueueLimits } from './call-queue.ts';
import { createClusterTopology } from './cluster-topology.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import { hitGroup } from './hit-group.ts';
import type { RedisConnection } from './redis-connection.ts';
import { createSingleTopology } from './single-topology.ts';
import type { RedisPool, RedisStoreListener } from './store-event.ts';
import { HitCall, HitTask } from './task.ts';
import type { Topology } from './topology.ts';

export interface RedisStoreOptions {
  /** Monotonic time, for deadlines. The system clock unless given. */
  readonly clock?: Clock | undefined;
  readonly connection: RedisConnection;
  /** A Redis of its own for windows of one second. */
  readonly perSecond?: RedisConnection | undefined;
  /** Keys live longer than their window by up to this; see `lua/begin.lua`. 0 turns it off. */
  readonly expirationJitterMaxSeconds: number;
  readonly onEvent?: RedisStoreListener | undefined;
  readonly limits?: Partial<QueueLimits> | undefined;
  /** A connection on which nothing is answered for so long is given up: its other end may be gone without a word. */
  readonly answerTimeoutMs?: number | undefined;
  /** false speaks to every server as to one before Redis 7; for tests of that way. */
  readonly scriptFlags?: boolean | undefined;
}

const closedError: StoreError = Object.freeze({
  kind: 'connection',
  message: 'the store is closed',
  node: '',
});

const typeSettings: Readonly<Record<RedisPool, string>> = Object.freeze({
  redis: 'REDIS_TYPE',
  perSecond: 'REDIS_PERSECOND_TYPE',
});

/** How long giving back may take; nobody waits for it. */
const compensationMs = 1_000;

/**
 * Counts on Redis: standalone, behind Sentinels, or a cluster. Connects at once and for ever; while it can't, hits get
 * errors. All hits that wait for a node go in one call of a script of `lua/` per loop turn.
 */
export function createRedisStore(options: RedisStoreOptions): AdjustableStore {
  const { clock = systemClock, onEvent = () => {} } = options;
  const active = new Set<CallQueue>();
  const timer = new DeadlineTimer(clock, (readAt) => sweep(active, readAt));
  const pools = connectPools(options, (pool) => ({
    clock,
    limits: { ...defaultQueueLimits, ...options.limits },
    maxJitterMs: Math.max(0, options.expirationJitterMaxSeconds * 1000),
    onEvent: (event) => onEvent({ ...event, pool }),
    watch: (deadline) => timer.watch(deadline),
    active,
  }));
  const topologies = Object.values(pools);
  const maxJitterMs = Math.max(0, options.expirationJitterMaxSeconds * 1000);
  let closed = false;

  const poolOf = ({ isPerSecond }: Hit): RedisPool => {
    return isPerSecond && pools.perSecond !== undefined ? 'perSecond' : 'redis';
  };
  const route = (hit: Hit): CallQueue | StoreError => {
    if (closed) return closedError;
    const pool = poolOf(hit);
    const place = (pools[pool] ?? pools.redis).route(hit.key);
    if (isStoreError(place)) {
      const { kind: errorKind, message, node } = place;
      onEvent({ kind: 'error', pool, node, errorKind, hits: 1, message });
    }
    return place;
  };
  const groupContext = {
    route,
    compensationDeadline: () => clock.monotonic() + compensationMs,
    compensationLost: (node: string, hits: readonly Hit[]) => {
      onEvent({ kind: 'compensation-lost', pool: poolOf(hits[0] as Hit), node, hits: hits.length });
    },
  };

  return {
    hit: (hits, deadline) => hitEach(hits, deadline, route),
    hitUnlessDenied: (hits, deadline) => {
      if (hits.length === 0) return Promise.resolve({ states: [], counted: true });
      return hitGroup(hits, deadline, groupContext);
    },
    adjust: (hit, adjustment, deadline) => {
      if (closed) return Promise.resolve(closedError);
      const place = (pools[poolOf(hit)] ?? pools.redis).placeOf(hit.key);
      if (isStoreError(place)) return Promise.resolve(place);
      return adjustOnRedis({ hit, adjustment }, place, { clock, deadline, maxJitterMs });
    },
    ready: Promise.all(topologies.map(({ ready }) => ready)).then(() => {}),
    isConnected: () => topologies.every((topology) => topology.isConnected()),
    close: () => {
      closed = true;
      timer.stop();
      for (const topology of topologies) topology.close();
      for (const queue of active) queue.abandon(closedError);
      return Promise.resolve();
    },
  };
}

interface Pools {
  readonly redis: Topology;
  readonly perSecond?: Topology;
}

function connectPools(options: RedisStoreOptions, contextOf: (pool: RedisPool) => QueueContext): Pools {
  const { scriptFlags = true, answerTimeoutMs = 2_000 } = options;
  const connect = (pool: RedisPool, connection: RedisConnection): Topology => {
    const { topology } = connection;
    const rest = { connection, scriptFlags, answerTimeoutMs, context: contextOf(pool) };
    return topology.kind === 'cluster'
      ? createClusterTopology({ topology, ...rest })
      : createSingleTopology({ topology, typeSetting: typeSettings[pool], ...rest });
  };
  const redis = connect('redis', options.connection);
  return options.perSecond === undefined
    ? { redis }
    : { redis, perSecond: connect('perSecond', options.perSecond) };
}

function hitEach(
  hits: readonly Hit[],
  deadline: number,
  route: (hit: Hit) => CallQueue | StoreError,
): Promise<HitResult> {
  if (hits.length === 0) return Promise.resolve({ states: [], counted: true });
  return new Promise((resolve) => {
    const call = new HitCall(hits.length, deadline, resolve);
    for (let index = 0; index < hits.length; index += 1) {
      const hit = hits[index] as Hit;
      const place = route(hit);
      if (isStoreError(place)) call.settle(index, place);
      else place.add(new HitTask(hit, index, call));
    }
  });
}

function sweep(queues: ReadonlySet<CallQueue>, readAt: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const queue of queues) next = Math.min(next, queue.sweep(readAt));
  return next;
}
