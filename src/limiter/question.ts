import type { Clock } from '../domain/clock.ts';
import type { Hit } from '../domain/hit.ts';
import { appended } from '../domain/short-list.ts';
import type { CounterState, CounterStore, HitResult } from '../store/counter-store.ts';
import type { StoreError } from '../store/store-error.ts';
import type { DenyCache } from './deny-cache.ts';
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

/** What the store is to be asked for a request, beside what the deny cache answers already. */
export interface Question {
  readonly planned: readonly PlannedDescriptor[];
  readonly denied: Denied | undefined;
  /** Empty when there is nothing to ask. */
  readonly hits: readonly Hit[];
  /** Now, by {@link Clock.monotonic}, in ms. */
  readonly askedAt: number;
  /** Until when the store may take; undefined when the caller leaves no time to ask it. */
  readonly until: number | undefined;
}

const none: readonly never[] = Object.freeze([]);
const noTime: StoreError = Object.freeze({
  kind: 'timeout',
  message: 'the deadline leaves no time to ask the store',
  node: '',
});
const noHits: Promise<HitResult> = Promise.resolve(Object.freeze({ states: [], counted: true }));

/**
 * Asks the deny cache; what it does not know is left for the store, to be asked once.
 * @param deadline when the caller gives up, by {@link Clock.monotonic} in ms; undefined when it does not say
 */
export function questionFor(
  planned: readonly PlannedDescriptor[],
  deadline: number | undefined,
  { clock, denyCache, storeTimeoutMs }: CountOptions,
): Question {
  const askedAt = clock.monotonic();
  const denied = denyCache === undefined ? undefined : findDenied(planned, denyCache, askedAt);
  const hits = hitsFor(planned, denied);
  const until = hits.length === 0 ? askedAt : storeDeadline(askedAt, deadline, storeTimeoutMs);
  return { planned, denied, hits, askedAt, until };
}

/** The one call of the store, which counts; none where there is nothing to ask. */
export function askStore(
  { hits, until }: Question,
  { store, countDenied }: CountOptions,
): Promise<HitResult> {
  if (hits.length === 0) return noHits;
  if (until === undefined) return Promise.resolve({ states: hits.map(() => noTime), counted: true });
  return countDenied ? store.hit(hits, until) : store.hitUnlessDenied(hits, until);
}

/** What the deny cache answers, at the places of the descriptors that it denies. */
export type Denied = readonly (CounterState | undefined)[];

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
  let hits: readonly Hit[] = none;
  for (let index = 0; index < planned.length; index++) {
    const { count } = planned[index] as PlannedDescriptor;
    if (count !== undefined && denied?.[index] === undefined) hits = appended(hits, count.hit);
  }
  return hits;
}
