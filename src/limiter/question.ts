import type { Clock } from '../domain/clock.ts';
import type { Hit } from '../domain/hit.ts';
import { appended } from '../domain/short-list.ts';
import type { CounterState, CounterStore } from '../store/counter-store.ts';
import type { StoreError } from '../store/store-error.ts';
import type { DenyCache } from './deny-cache.ts';
import type { PlannedCount, PlannedDescriptor } from './planned-descriptor.ts';
import { askInParts, type Counted, partsOf } from './question-parts.ts';
import { storeDeadline } from './store-deadline.ts';

export interface CountOptions {
  readonly store: CounterStore;
  readonly clock: Clock;
  /** STORE_TIMEOUT, in ms. */
  readonly storeTimeoutMs: number;
  readonly denyCache: DenyCache | undefined;
  /** false: a denied request consumes nothing. */
  readonly countDenied: boolean;
  /** Nothing is denied, so that everything counts (SHADOW_MODE). */
  readonly countAll: boolean;
  readonly nearLimitRatio: number;
}

/** What the store is to be asked for a request, beside what the deny cache answers already. */
export interface Question {
  readonly planned: readonly PlannedDescriptor[];
  readonly denied: Denied | undefined;
  /** Of all limits of the descriptors that are left, in order. Empty when there is nothing to ask. */
  readonly hits: readonly Hit[];
  /** Where a descriptor has several limits: how many of the hits in order belong to each descriptor. */
  readonly sizes: readonly number[] | undefined;
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
const noHits: Promise<Counted> = Promise.resolve(Object.freeze({ states: [], counted: true }));

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
  const sizes = hasSeveral(planned) ? sizesFor(planned, denied) : undefined;
  const until = hits.length === 0 ? askedAt : storeDeadline(askedAt, deadline, storeTimeoutMs);
  return { planned, denied, hits, sizes, askedAt, until };
}

/**
 * Has the store count; nothing is asked where there is nothing to ask. Several limits of one descriptor are counted together
 * or, when one of them denies, not at all.
 */
export function askStore(
  question: Question,
  { store, countDenied, countAll }: CountOptions,
): Promise<Counted> {
  const { hits, sizes, until } = question;
  if (hits.length === 0) return noHits;
  if (until === undefined) return Promise.resolve({ states: hits.map(() => noTime), counted: true });
  if (countAll) return store.hit(hits, until);
  if (!countDenied) return store.hitUnlessDenied(hits, until);
  return sizes === undefined ? store.hit(hits, until) : askInParts(partsOf(hits, sizes), store, until);
}

/** A limit of which the deny cache knows that it is over. */
export interface KnownOver {
  readonly count: PlannedCount;
  readonly state: CounterState;
}

/** What the deny cache answers, at the places of the descriptors that it denies. */
export type Denied = readonly (KnownOver | undefined)[];

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
  let denied: (KnownOver | undefined)[] | undefined;
  const asked = planned.length > 1 ? new Set<string>() : undefined;
  for (let index = 0; index < planned.length; index++) {
    const one = planned[index] as PlannedDescriptor;
    const { count, isRefund } = one;
    if (count === undefined) continue;
    const { key } = count.hit;
    if (isRefund) forget(one, denyCache);
    const found = isRefund || asked?.has(key) === true ? undefined : findOver(one, denyCache, now);
    if (found === undefined) {
      asked?.add(key);
      continue;
    }
    denied ??= [];
    denied[index] = found;
  }
  return denied;
}

/** Of several limits that are known to be over, the one with the longest wait; of equal ones the last. */
function findOver(one: PlannedDescriptor, denyCache: DenyCache, now: number): KnownOver | undefined {
  const { count, further } = one;
  if (count === undefined) return undefined;
  const state = denyCache.find(count.hit, now);
  let longest = state === undefined ? undefined : { count, state };
  for (const other of further) {
    const known = denyCache.find(other.hit, now);
    if (known === undefined) continue;
    if (longest === undefined || known.msUntilReset >= longest.state.msUntilReset) {
      longest = { count: other, state: known };
    }
  }
  return longest;
}

/** Drops what is known of the limits to which hits are given back. */
function forget({ count, further }: PlannedDescriptor, denyCache: DenyCache): void {
  if (count !== undefined) denyCache.forget(count.hit.key);
  for (const { hit } of further) denyCache.forget(hit.key);
}

function hitsFor(planned: readonly PlannedDescriptor[], denied: Denied | undefined): readonly Hit[] {
  let hits: readonly Hit[] = none;
  for (let index = 0; index < planned.length; index++) {
    const { count, further } = planned[index] as PlannedDescriptor;
    if (count === undefined || denied?.[index] !== undefined) continue;
    hits = appended(hits, count.hit);
    if (further.length > 0) for (const other of further) hits = appended(hits, other.hit);
  }
  return hits;
}

function hasSeveral(planned: readonly PlannedDescriptor[]): boolean {
  for (let index = 0; index < planned.length; index++) {
    if ((planned[index] as PlannedDescriptor).further.length > 0) return true;
  }
  return false;
}

function sizesFor(planned: readonly PlannedDescriptor[], denied: Denied | undefined): readonly number[] {
  const sizes: number[] = [];
  for (const [index, { count, further }] of planned.entries()) {
    if (count !== undefined && denied?.[index] === undefined) sizes.push(1 + further.length);
  }
  return sizes;
}
