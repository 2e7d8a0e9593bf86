import type { Hit } from '../domain/hit.ts';
import type { CounterState, HitResult } from '../store/counter-store.ts';
import { isStoreError, type StoreError } from '../store/store-error.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import type { DenyCache } from './deny-cache.ts';
import { judgeCounted, judgeUncounted } from './judge.ts';
import type { PlannedDescriptor } from './plan.ts';
import type { CountOptions, Question } from './question.ts';

const none: readonly never[] = Object.freeze([]);

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
  return { outcomes, storeErrors: none };
}

export interface Judgement {
  /** Undefined when hits have no answer. */
  readonly outcomes: readonly DescriptorOutcome[] | undefined;
  readonly storeErrors: readonly StoreError[];
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
