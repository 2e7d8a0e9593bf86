import type { Clock } from '../domain/clock.ts';
import type { Hit } from '../domain/hit.ts';
import type { CounterState, CounterStore, HitResult } from '../store/counter-store.ts';
import { isStoreError, type StoreError } from '../store/store-error.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import type { DenyCache } from './deny-cache.ts';
import { judgeCounted, judgeUncounted } from './judge.ts';
import type { PlannedDescriptor } from './plan.ts';
import { storeDeadline } from './store-deadline.ts';

export interface CountOptions {
  readonly store: CounterStore;
  readonly clock: Clock;
  /** STORE_TIMEOUT, in ms. */
  readonly storeTimeoutMs: number;
  readonly denyCache: DenyCache | undefined;
  /** false: a denied request consumes nothing. */
  readonly countDenied: boolean;
  readonly nearLimitRatio: number;
}

export type CountResult =
  /** One outcome for each planned descriptor, in order. */
  | { readonly kind: 'counted'; readonly outcomes: readonly DescriptorOutcome[] }
  /** The store would have to be asked, and the caller leaves no time for it. Nothing was counted. */
  | { readonly kind: 'too-late' }
  /** Some hits have no answer. */
  | { readonly kind: 'failed'; readonly storeErrors: readonly StoreError[] };

const noHits: HitResult = Object.freeze({ states: [], counted: true });

/**
 * Asks the deny cache, then the store, once, for all that is left; then judges each descriptor.
 * @param deadline when the caller gives up, by {@link Clock.monotonic} in ms; undefined when it does not say
 */
export async function countRequest(
  planned: readonly PlannedDescriptor[],
  deadline: number | undefined,
  options: CountOptions,
): Promise<CountResult> {
  const { store, clock, denyCache } = options;
  const sentAt = clock.monotonic();
  const denied = denyCache === undefined ? undefined : findDenied(planned, denyCache, sentAt);
  const hits = hitsFor(planned, denied);
  let result = noHits;
  if (hits.length > 0) {
    const until = storeDeadline(sentAt, deadline, options.storeTimeoutMs);
    if (until === undefined) return { kind: 'too-late' };
    result = await (options.countDenied ? store.hit(hits, until) : store.hitUnlessDenied(hits, until));
    if (result.states.some(isStoreError)) {
      return { kind: 'failed', storeErrors: result.states.filter(isStoreError) };
    }
  }
  const states = result.states as readonly CounterState[];
  if (denyCache !== undefined) learn(denyCache, planned, denied, { states, sentAt });
  const usedBefore = result.counted ? undefined : firstBefore(hits, states);
  let next = 0;
  const outcomes = planned.map((one, index) => {
    if (one.count === undefined) return judgeUncounted(one);
    const known = denied?.[index];
    const state = known ?? (states[next++] as CounterState);
    const reading = {
      state,
      usedBefore: usedBefore?.get(one.count.hit.key) ?? state.before,
      consumed: result.counted,
      fromDenyCache: known !== undefined,
    };
    return judgeCounted(one, one.count, reading, options.nearLimitRatio);
  });
  return { kind: 'counted', outcomes };
}

type Denied = readonly (CounterState | undefined)[];

/**
 * What the deny cache answers, at the places of the descriptors that it denies. Giving back passes by the cache and drops
 * what it knows. A key that one descriptor asks the store for is asked for by the later ones too, since they are judged
 * after it.
 */
function findDenied(
  planned: readonly PlannedDescriptor[],
  denyCache: DenyCache,
  now: number,
): Denied | undefined {
  if (denyCache.size === 0) return undefined;
  let denied: (CounterState | undefined)[] | undefined;
  const asked = planned.length > 1 ? new Set<string>() : undefined;
  for (let index = 0; index < planned.length; index++) {
    const { count, isRefund } = planned[index] as PlannedDescriptor;
    if (count === undefined) continue;
    const { key, limit } = count.hit;
    if (isRefund) denyCache.forget(key);
    const state = isRefund || asked?.has(key) === true ? undefined : denyCache.find(key, limit, now);
    if (state === undefined) {
      asked?.add(key);
      continue;
    }
    denied ??= [];
    denied[index] = state;
  }
  return denied;
}

function hitsFor(planned: readonly PlannedDescriptor[], denied: Denied | undefined): readonly Hit[] {
  const hits: Hit[] = [];
  for (let index = 0; index < planned.length; index++) {
    const { count } = planned[index] as PlannedDescriptor;
    if (count !== undefined && denied?.[index] === undefined) hits.push(count.hit);
  }
  return hits;
}

/** Giving back drops what is known once more: a hit that was under way meanwhile may have been learned. */
function learn(
  denyCache: DenyCache,
  planned: readonly PlannedDescriptor[],
  denied: Denied | undefined,
  { states, sentAt }: { readonly states: readonly CounterState[]; readonly sentAt: number },
): void {
  let next = 0;
  for (let index = 0; index < planned.length; index++) {
    const { count, isRefund } = planned[index] as PlannedDescriptor;
    if (count === undefined || denied?.[index] !== undefined) continue;
    const { key, limit } = count.hit;
    const state = states[next++] as CounterState;
    if (isRefund) denyCache.forget(key);
    else denyCache.learn(key, limit, state, sentAt);
  }
}

/** What each counter held before the request: the first of its hits found it so. */
function firstBefore(hits: readonly Hit[], states: readonly CounterState[]): ReadonlyMap<string, number> {
  const before = new Map<string, number>();
  for (let index = 0; index < hits.length; index++) {
    const { key } = hits[index] as Hit;
    if (!before.has(key)) before.set(key, (states[index] as CounterState).before);
  }
  return before;
}
