import type { Hit } from '../domain/hit.ts';
import { appended } from '../domain/short-list.ts';
import type { CounterState, HitResult } from '../store/counter-store.ts';
import { isStoreError, type StoreError } from '../store/store-error.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import type { DenyCache } from './deny-cache.ts';
import { judgeCounted, judgeUncounted } from './judge.ts';
import { bindingOutcome } from './judge-limits.ts';
import type { PlannedCount, PlannedDescriptor } from './planned-descriptor.ts';
import type { CountOptions, KnownOver, Question } from './question.ts';
import type { Counted } from './question-parts.ts';

const none: readonly never[] = Object.freeze([]);

/** Judges each descriptor whose counters were reached. */
export function judgeAnswer(
  question: Question,
  answer: Counted,
  { denyCache, nearLimitRatio }: CountOptions,
): Judgement {
  const { planned, denied, hits } = question;
  const { states, counted } = answer;
  if (denyCache !== undefined) learn(denyCache, question, answer);
  const usedBefore = counted === true ? undefined : firstBefore(hits, states);
  const outcomes = new Array<DescriptorOutcome | undefined>(planned.length);
  const whole = { consumed: counted === true, usedBefore, nearLimitRatio };
  let storeErrors: readonly StoreError[] = none;
  let next = 0;
  let asked = 0;
  for (let index = 0; index < planned.length; index++) {
    const one = planned[index] as PlannedDescriptor;
    const { count, further } = one;
    const known = denied?.[index];
    if (count === undefined || known !== undefined) {
      outcomes[index] = known === undefined ? judgeUncounted(one) : judgeKnown(one, known, nearLimitRatio);
      continue;
    }
    const context =
      typeof counted === 'boolean' ? whole : { ...whole, consumed: counted[asked++] as boolean };
    if (further.length === 0) {
      const state = states[next++] as CounterState | StoreError;
      if (isStoreError(state)) storeErrors = appended(storeErrors, state);
      outcomes[index] = isStoreError(state) ? undefined : judgeLimit(one, count, state, context);
    } else {
      const own = states.slice(next, next + 1 + further.length);
      next += own.length;
      for (const state of own) if (isStoreError(state)) storeErrors = appended(storeErrors, state);
      outcomes[index] = judgeLimits(one, [count, ...further], own, context);
    }
  }
  return { outcomes, storeErrors };
}

/** What is the same for all limits of a descriptor. */
interface Context {
  /** Whether its hits were carried out. */
  readonly consumed: boolean;
  /** Set where something was not. */
  readonly usedBefore: ReadonlyMap<string, number> | undefined;
  readonly nearLimitRatio: number;
}

function judgeLimit(
  one: PlannedDescriptor,
  count: PlannedCount,
  state: CounterState,
  { consumed, usedBefore, nearLimitRatio }: Context,
): DescriptorOutcome {
  const before = usedBefore?.get(count.hit.key) ?? state.before;
  const reading = { state, usedBefore: before, consumed, fromDenyCache: false };
  return judgeCounted(one, count, reading, nearLimitRatio);
}

function judgeLimits(
  one: PlannedDescriptor,
  counts: readonly PlannedCount[],
  states: HitResult['states'],
  context: Context,
): DescriptorOutcome | undefined {
  const outcomes = counts.map((count, index) => {
    const state = states[index] as CounterState | StoreError;
    return isStoreError(state) ? undefined : judgeLimit(one, count, state, context);
  });
  return bindingOutcome(outcomes);
}

function judgeKnown(
  one: PlannedDescriptor,
  { state, count }: KnownOver,
  nearLimitRatio: number,
): DescriptorOutcome {
  const reading = { state, usedBefore: state.before, consumed: true, fromDenyCache: true };
  return judgeCounted(one, count, reading, nearLimitRatio);
}

export interface Judgement {
  /** One for each descriptor, in order; undefined where its counter could not be reached. */
  readonly outcomes: readonly (DescriptorOutcome | undefined)[];
  /** Why, for each of those. */
  readonly storeErrors: readonly StoreError[];
}

/** Giving back drops what is known once more: a hit that was under way meanwhile may have been learned. */
function learn(denyCache: DenyCache, { hits, sizes, askedAt }: Question, { states, counted }: Counted): void {
  const byHit = typeof counted === 'boolean' ? undefined : countedByHit(counted, sizes ?? []);
  for (let index = 0; index < hits.length; index++) {
    const hit = hits[index] as Hit;
    const state = states[index] as CounterState | StoreError;
    if (hit.cost < 0) denyCache.forget(hit.key);
    else if (!isStoreError(state)) denyCache.learn(hit, state, byHit?.[index] ?? counted === true, askedAt);
  }
}

/** Of each descriptor's hits, whether they were carried out. */
function countedByHit(counted: readonly boolean[], sizes: readonly number[]): readonly boolean[] {
  return sizes.flatMap((size, index) => Array.from({ length: size }, () => counted[index] === true));
}

/** What each counter held before the request: the first of its hits found it so. */
function firstBefore(hits: readonly Hit[], states: HitResult['states']): ReadonlyMap<string, number> {
  const before = new Map<string, number>();
  for (let index = 0; index < hits.length; index++) {
    const { key } = hits[index] as Hit;
    const state = states[index] as CounterState | StoreError;
    if (!before.has(key) && !isStoreError(state)) before.set(key, state.before);
  }
  return before;
}
