import type { Caller } from '../domain/caller.ts';
import type { RateLimitRequest } from '../domain/descriptor.ts';
import type { RequestBounds } from '../domain/request-bounds.ts';
import type { DecisionListener } from '../limiter/decision-event.ts';
import { createLimiter, type Limiter } from '../limiter/limiter.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { DecisionFigures } from './figures/decision-figures.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How decisions are made, as far as the service can be told so too. */
export interface SimulationOptions {
  /** COUNT_DENIED. */
  readonly countDenied: boolean;
  /** QUOTA_MODE. */
  readonly quotaMode: boolean;
  /** NEAR_LIMIT_RATIO. */
  readonly nearLimitRatio: number;
  readonly bounds: RequestBounds;
  /** Counters held at once; the oldest are dropped above. */
  readonly maxCounters: number;
}

/** A configuration that a log is replayed against. */
export interface Simulation {
  readonly rules: RuleSet;
  readonly figures: DecisionFigures;
  /** Counters that were dropped before their window ended: what they would have denied was allowed. */
  readonly evictions: () => number;
  /** Decides at the clock's time. */
  decide(request: RateLimitRequest): ReturnType<Limiter['decide']>;
}

/** The service's limiter on the memory store, with a clock that is set. */
export function createSimulation(
  rules: RuleSet,
  clock: VirtualClock,
  options: SimulationOptions,
  listeners: readonly DecisionListener[] = [],
): Simulation {
  const figures = new DecisionFigures(clock);
  let evicted = 0;
  const onEvict = () => {
    evicted += 1;
  };
  const store = createMemoryStore({ clock, maxCounters: options.maxCounters, onEvict });
  const limiter = createLimiter({
    ...options,
    ...withoutEdges,
    rules: () => rules,
    store,
    // Never asked: the memory store is always there.
    localStore: store,
    clock,
    listeners: [(event) => figures.add(event), ...listeners],
  });
  const caller = admitted(rules);
  return {
    rules,
    figures,
    evictions: () => evicted,
    decide: (request) => limiter.decide(request, undefined, caller),
  };
}

/** What is of callers, of a network and of memory that is short: nothing of it changes which requests are denied. */
const withoutEdges = {
  shadowMode: false,
  denyCache: undefined,
  storeTimeoutMs: 1_000,
  failurePolicy: 'error',
  localShare: 1,
  responseHeaders: undefined,
  limitFields: false,
  warningHeader: 'X-RateLimit-Warning',
  dynamicMetadata: false,
  denialBody: undefined,
} as const;

/** A log does not say who asked. Those in it were let in, so the caller has a name that each domain wants. */
function admitted({ domains }: RuleSet): Caller {
  return { provenNames: [...domains.values()].flatMap(({ clients }) => [...(clients ?? [])].slice(0, 1)) };
}
