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

/** What the store is to be asked for a request, beside what the deny cache answers already. */
export interface Question {
  readonly planned: readonly PlannedDescriptor[];
  readonly denied: Denied | undefined;
  /** Empty when there is nothing to ask. */
  readonly hits: readonly Hit[];
  /** Now, by {@link Clock.monotonic}, in ms. */
  readonly askedAt: number;
  /** Until when the store may take. */
  readonly until: number;
}

const noHits: Promise<HitResult> = Promise.resolve(Object.freeze({ states: [], counted: true }));

/**
 * Asks the deny cache; what it does not know is left for the store, to be asked once.
 * @param deadline when the caller gives up, by {@link Clock.monotonic} in ms; undefined when it does not say
 * @returns undefined when the store would have to be asked, and the caller leaves no time for it
 */
export function questionFor(
  planned: readonly PlannedDescriptor[],
  deadline: number | undefined,
  { clock, denyCache, storeTimeoutMs }: CountOptions,
): Question | undefined {
  const askedAt = clock.monotonic();
  const denied = denyCache === undefined ? undefined : findDenied(planned, denyCache, askedAt);
  const hits = hitsFor(planned, denied);
  const until = hits.length === 0 ? askedAt : storeDeadline(askedAt, deadline, storeTimeoutMs);
  return until === undefined ? undefined : { planned, denied, hits, askedAt, until };
}

/** Counts. */
export function askStore(
  { hits, until }: Question,
  { store, countDenied }: CountOptions,
): Promise<HitResult> {
  if (hits.length === 0) return noHits;
  return countDenied ? store.hit(hits, until) : store.hitUnlessDenied(hits, until);
}

/** Judges each descriptor. @returns one outcome for each, in order; or the store's errors, when hits have no answer */
export function judgeAnswer(
  question: Question,
  result: HitResult,
  { denyCache, nearLimitRatio }: CountOptions,
): Judgement {
  if (result.states.some(isStoreError)) {
    return { outcomes: undefined, storeErrors: result.states.filter(isStoreError) };
  }
  const { planned, denied, hits } = question;
  const states = result.states as readonly CounterState[];
  if (denyCache !== undefined) learn(denyCache, question, states);
  const usedBefore = result.counted ? undefined : firstBefore(hits, states);
  const outcomes = new Array<DescriptorOutcome>(planned.length);
  let next = 0;
  for (let index = 0; index < planned.length; index++) {
    const one = planned[index] as PlannedDescriptor;
    if (one.count === undefined) {
      outcomes[index] = judgeUncounted(one);
      continue;
    }
    const known = denied?.[index];
    const state = known ?? (states[next++] as CounterState);
    const reading = {
      state,
      usedBefore: usedBefore?.get(one.count.hit.key) ?? state.before,
      consumed: result.counted,
      fromDenyCache: known !== undefined,
    };
    outcomes[index] = judgeCounted(one, one.count, reading, nearLimitRatio);
  }
  return { outcomes, storeErrors: noErrors };
}

export interface Judgement {
  /** Undefined when hits have no answer. */
  readonly outcomes: readonly DescriptorOutcome[] | undefined;
  readonly storeErrors: readonly StoreError[];
}

const noErrors: readonly StoreError[] = Object.freeze([]);

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
  const [first] = planned;
  // Nearly every request: no list that grows.
  if (planned.length === 1 && first?.count !== undefined && denied === undefined) return [first.count.hit];
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
  { planned, denied, askedAt }: Question,
  states: readonly CounterState[],
): void {
  let next = 0;
  for (let index = 0; index < planned.length; index++) {
    const { count, isRefund } = planned[index] as PlannedDescriptor;
    if (count === undefined || denied?.[index] !== undefined) continue;
    const { key, limit } = count.hit;
    const state = states[next++] as CounterState;
    if (isRefund) denyCache.forget(key);
    else denyCache.learn(key, limit, state, askedAt);
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
