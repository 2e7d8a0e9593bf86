import type { Registry } from 'prom-client';
import type { BreakerState, RedisPool, RedisStoreEvent } from '../store/redis/store-event.ts';
import { Labelled } from './labelled.ts';
import { LatencyHistogram, storeBuckets } from './latency-histogram.ts';
import { registerFamily, type Sample, sampleOf } from './metric-family.ts';

/** Nodes that have series of their own. A cluster that moves leaves the names of old nodes behind. */
const maxNodes = 200;
/** More than there are kinds of errors. */
const maxKinds = 20;
/** More than there are changes of a breaker with their causes. */
const maxChanges = 50;

const breakerStates: Readonly<Record<BreakerState, number>> = { closed: 0, 'half-open': 1, open: 2 };

interface NodeCalls {
  hits: number;
  operations: number;
  readonly time: LatencyHistogram;
}

interface Connections {
  opened: number;
  closed: number;
  /** false until there is a word of that Redis. */
  areExpected: boolean;
}

const poolPrefixes: Readonly<Record<RedisPool, string>> = {
  redis: 'ratelimit_redis_pool',
  perSecond: 'ratelimit_redis_per_second_pool',
};

/** What the store's calls and connections add up to. */
export class StoreMetrics {
  readonly #calls = new Labelled<NodeCalls>(maxNodes, () => ({
    hits: 0,
    operations: 0,
    time: new LatencyHistogram(storeBuckets),
  }));
  readonly #errors = new Labelled(maxNodes, () => new Labelled(maxKinds, () => ({ hits: 0 })));
  readonly #breakers = new Labelled(maxNodes, () => ({
    state: 0,
    changes: new Labelled(maxChanges, () => ({ count: 0 })),
  }));
  readonly #connections: Readonly<Record<RedisPool, Connections>> = {
    redis: { opened: 0, closed: 0, areExpected: true },
    perSecond: { opened: 0, closed: 0, areExpected: false },
  };
  #lostCompensations = 0;

  constructor(registry: Registry) {
    this.#registerCalls(registry);
    this.#registerErrors(registry);
    this.#registerBreakers(registry);
    this.#registerConnections(registry);
  }

  add(event: RedisStoreEvent): void {
    const connections = this.#connections[event.pool];
    connections.areExpected = true;
    switch (event.kind) {
      case 'call':
        this.#addCall(this.#calls.of(event.node), event);
        break;
      case 'error':
        this.#errors.of(event.node).of(event.errorKind).hits += event.hits;
        break;
      case 'breaker':
        this.#addBreakerChange(event);
        break;
      case 'opened':
        connections.opened += 1;
        break;
      case 'closed':
        connections.closed += 1;
        break;
      case 'compensation-lost':
        this.#lostCompensations += event.hits;
        break;
      default:
      // Whether a node is usable goes to the log; its numbers are those of connections and errors.
    }
  }

  #addCall(calls: NodeCalls, event: { hits: number; operations: number; ms: number }): void {
    calls.hits += event.hits;
    calls.operations += event.operations;
    calls.time.observe(event.ms / 1_000);
  }

  #addBreakerChange({ node, to, cause }: RedisStoreEvent & { kind: 'breaker' }): void {
    const breaker = this.#breakers.of(node);
    breaker.state = breakerStates[to];
    breaker.changes.of(`${to} ${cause}`).count += 1;
  }

  #registerBreakers(registry: Registry): void {
    registerFamily(registry, {
      name: 'weir_store_breaker_state',
      help: 'Breaker of a node: 0 closed, 1 half-open (one call finds out), 2 open (not asked). Not there until it first changed.',
      type: 'gauge',
      read: () =>
        [...this.#breakers.entries()].map(([node, { state }]) => ({ labels: { node }, value: state })),
    });
    registerFamily(registry, {
      name: 'weir_store_breaker_transitions_total',
      help: "Changes of a node's breaker, by the state it went to and the cause: a kind of error, probe, answered, connected.",
      type: 'counter',
      read: () =>
        [...this.#breakers.entries()].flatMap(([node, { changes }]) =>
          [...changes.entries()].map(([change, { count }]) => {
            const [to = '', cause = ''] = change.split(' ');
            return { labels: { node, to, cause }, value: count };
          }),
        ),
    });
  }

  #registerCalls(registry: Registry): void {
    registerFamily(registry, {
      name: 'weir_store_script_calls_total',
      help: 'Script calls to a node. One call holds hits of several requests.',
      type: 'counter',
      read: () => this.#byNode((calls) => calls.time.count),
    });
    registerFamily(registry, {
      name: 'weir_store_script_hits_total',
      help: 'Hits in those calls; divided by the calls, how many share one.',
      type: 'counter',
      read: () => this.#byNode((calls) => calls.hits),
    });
    registerFamily(registry, {
      name: 'weir_store_script_operations_total',
      help: 'Counter operations in those calls: hits on the same counter are one.',
      type: 'counter',
      read: () => this.#byNode((calls) => calls.operations),
    });
    const time = 'weir_store_latency_seconds';
    registerFamily(registry, {
      name: time,
      help: 'Time from sending a script call to its answer.',
      type: 'histogram',
      read: () =>
        [...this.#calls.entries()].flatMap(([node, calls]) => [...calls.time.samples(time, { node })]),
    });
  }

  #registerErrors(registry: Registry): void {
    registerFamily(registry, {
      name: 'weir_store_errors_total',
      help: 'Hits that got an error instead of a count, by node and by kind of error.',
      type: 'counter',
      read: () =>
        [...this.#errors.entries()].flatMap(([node, kinds]) =>
          [...kinds.entries()].map(([kind, { hits }]) => ({ labels: { node, kind }, value: hits })),
        ),
    });
    registerFamily(registry, {
      name: 'weir_store_compensations_lost_total',
      help: 'Hits of denied requests that could not be given back to another node (COUNT_DENIED=false).',
      type: 'counter',
      read: () => sampleOf(this.#lostCompensations),
    });
  }

  /** Under the names of the reference. Those of the second Redis have no series where there is none. */
  #registerConnections(registry: Registry): void {
    for (const [pool, prefix] of Object.entries(poolPrefixes) as [RedisPool, string][]) {
      const read = (numberOf: (connections: Connections) => number) => () => {
        const connections = this.#connections[pool];
        return connections.areExpected ? sampleOf(numberOf(connections)) : [];
      };
      const which = pool === 'redis' ? 'Redis' : 'the Redis for limits per second';
      registerFamily(registry, {
        name: `${prefix}_cx_active`,
        help: `Open connections to ${which}.`,
        type: 'gauge',
        read: read(({ opened, closed }) => opened - closed),
      });
      registerFamily(registry, {
        name: `${prefix}_cx_total`,
        help: `Connections to ${which} that were opened.`,
        type: 'counter',
        read: read(({ opened }) => opened),
      });
      registerFamily(registry, {
        name: `${prefix}_cx_local_close`,
        help: `Connections to ${which} that were closed, by whichever side.`,
        type: 'counter',
        read: read(({ closed }) => closed),
      });
    }
  }

  #byNode(numberOf: (calls: NodeCalls) => number): Sample[] {
    return [...this.#calls.entries()].map(([node, calls]) => ({ labels: { node }, value: numberOf(calls) }));
  }
}
