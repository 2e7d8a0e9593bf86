import type { Hit } from '../domain/hit.ts';
import { appended } from '../domain/short-list.ts';
import type { CounterState, HitResult } from '../store/counter-store.ts';
import { isStoreError, type StoreError } from '../store/store-error.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import type { DenyCache } from './deny-cache.ts';
import { judgeCounted, judgeUncounted } from './judge.ts';
import type { PlannedDescriptor } from './plan.ts';
import type { CountOptions, Question } from './question.ts';

const none: readonly never[] = Object.freeze([]);

/** Judges each descriptor whose counter was reached. */
export function judgeAnswer(
  question: Question,
  result: HitResult,
  { denyCache, nearLimitRatio }: CountOptions,
): Judgement {
  const { planned, denied, hits } = question;
  const { states } = result;
  if (denyCache !== undefined) learn(denyCache, question, states);
  const usedBefore = result.counted ? undefined : firstBefore(hits, states);
  const outcomes = new Array<DescriptorOutcome | undefined>(planned.length);
  let storeErrors: readonly StoreError[] = none;
  let next = 0;
  for (let index = 0; index < planned.length; index++) {
    const one = planned[index] as PlannedDescriptor;
    if (one.count === undefined) {
      outcomes[index] = judgeUncounted(one);
      continue;
    }
    const known = denied?.[index];
    const state = known ?? (states[next++] as CounterState | StoreError);
    if (isStoreError(state)) {
      storeErrors = appended(storeErrors, state);
      outcomes[index] = undefined;
      continue;
    }
    const reading = {
      state,
      usedBefore: usedBefore?.get(one.count.hit.key) ?? state.before,
      consumed: result.counted,
      fromDenyCache: known !== undefined,
    };
    outcomes[index] = judgeCounted(one, one.count, reading, nearLimitRatio);
  }
  return { outcomes, storeErrors };
}

export interface Judgement {
  /** One for each descriptor, in order; undefined where its counter could not be reached. */
  readonly outcomes: readonly (DescriptorOutcome | undefined)[];
  /** Why, for each of those. */
  readonly storeErrors: readonly StoreError[];
}

/** Giving back drops what is known once more: a hit that was under way meanwhile may have been learned. */
function learn(
  denyCache: DenyCache,
  { planned, denied, askedAt }: Question,
  states: HitResult['states'],
): void {
  let next = 0;
  for (let index = 0; index < planned.length; index++) {
    const { count, isRefund } = planned[index] as PlannedDescriptor;
    if (count === undefined || denied?.[index] !== undefined) continue;
    const { key, limit } = count.hit;
    const state = states[next++] as CounterState | StoreError;
    if (isRefund) denyCache.forget(key);
    else if (!isStoreError(state)) denyCache.learn(key, limit, state, askedAt);
  }
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
