import type { Clock } from '../domain/clock.ts';
import type { CounterState, CounterStore, Hit, HitResult } from '../store/counter-store.ts';
import { isStoreError, type StoreError } from '../store/store-error.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import type { DenyCache } from './deny-cache.ts';
import { type Found, judgeCounted, judgeUncounted } from './judge.ts';
import type { PlannedCount, PlannedDescriptor } from './plan.ts';

export interface CountOptions {
  readonly store: CounterStore;
  readonly clock: Clock;
  readonly denyCache: DenyCache | undefined;
  readonly countDenied: boolean;
  readonly nearLimitRatio: number;
}

export interface CountResult {
  /** One for each planned descriptor, in order; empty when there are errors. */
  readonly outcomes: readonly DescriptorOutcome[];
  readonly storeErrors: readonly StoreError[];
}

const noHits: HitResult = Object.freeze({ states: [], counted: true });

/** Asks the deny cache, then the store, once, for all that is left; then judges each descriptor. */
export async function countRequest(
  planned: readonly PlannedDescriptor[],
  deadline: number,
  options: CountOptions,
): Promise<CountResult> {
  const { store, clock, denyCache } = options;
  const sentAt = clock.monotonic();
  const denied = denyCache === undefined ? undefined : findDenied(planned, denyCache, sentAt);
  const hits: Hit[] = [];
  for (let i = 0; i < planned.length; i++) {
    const counted = (planned[i] as PlannedDescriptor).counted;
    if (counted !== undefined && denied?.[i] === undefined) hits.push(counted.hit);
  }
  const result =
    hits.length === 0
      ? noHits
      : await (options.countDenied ? store.hit(hits, deadline) : store.hitUnlessDenied(hits, deadline));
  const storeErrors = result.states.filter(isStoreError);
  if (storeErrors.length > 0) return { outcomes: [], storeErrors };
  const usedWithout = result.counted
    ? undefined
    : firstBefore(hits, result.states as readonly CounterState[]);

  let next = 0;
  const outcomes = planned.map((one, index) => {
    if (one.counted === undefined) return judgeUncounted(one);
    const known = denied?.[index];
    if (known !== undefined) return judgeCounted(one, one.counted, fromCache(known), options.nearLimitRatio);
    const state = result.states[next++] as CounterState;
    if (denyCache !== undefined && !one.isRefund) remember(denyCache, one.counted, state, sentAt);
    const found = {
      state,
      usedWithout: usedWithout?.get(one.counted.hit.key) ?? state.before,
      isCounted: result.counted,
      fromDenyCache: false,
    };
    return judgeCounted(one, one.counted, found, options.nearLimitRatio);
  });
  return { outcomes, storeErrors };
}

/** Giving back passes by the cache, and drops what it knows. */
function findDenied(
  planned: readonly PlannedDescriptor[],
  denyCache: DenyCache,
  now: number,
): readonly (CounterState | undefined)[] | undefined {
  let denied: (CounterState | undefined)[] | undefined;
  for (const [index, { counted, isRefund }] of planned.entries()) {
    if (counted === undefined) continue;
    const { key, limit } = counted.hit;
    if (isRefund) {
      denyCache.forget(key);
      continue;
    }
    const state = denyCache.find(key, limit, now);
    if (state === undefined) continue;
    denied ??= [];
    denied[index] = state;
  }
  return denied;
}

function fromCache(state: CounterState): Found {
  return { state, usedWithout: state.before, isCounted: true, fromDenyCache: true };
}

function remember(denyCache: DenyCache, counted: PlannedCount, state: CounterState, sentAt: number): void {
  denyCache.learn(counted.hit.key, counted.hit.limit, state, sentAt);
}

/** What each counter held before the request: the first of its hits found it so. */
function firstBefore(hits: readonly Hit[], states: readonly CounterState[]): ReadonlyMap<string, number> {
  const before = new Map<string, number>();
  for (const [index, hit] of hits.entries()) {
    if (!before.has(hit.key)) before.set(hit.key, (states[index] as CounterState).before);
  }
  return before;
}
