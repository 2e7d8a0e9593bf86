import type { Hit } from '../domain/hit.ts';
import { appended } from '../domain/short-list.ts';
import type { CounterState, HitResult } from '../store/counter-store.ts';
import { isStoreError, type StoreError } from '../store/store-error.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import type { DenyCache } from './deny-cache.ts';
import { judgeCounted, judgeUncounted } from './judge.ts';
import { bindingOutcome } from './judge-limits.ts';
import type { PlannedCount, PlannedDescriptor } from './planned-descriptor.ts';
import { type Counted, type CountOptions, forget, type Question } from './question.ts';

const none: readonly never[] = Object.freeze([]);

/** Judges each descriptor whose counters were reached. */
export function judgeAnswer(
  question: Question,
  answer: Counted,
  { denyCache, nearLimitRatio }: CountOptions,
): Judgement {
  const { planned, denied } = question;
  if (denyCache !== undefined) learn(denyCache, question, answer);
  const reading = new AnswerReading(question, answer, nearLimitRatio);
  const outcomes = new Array<DescriptorOutcome | undefined>(planned.length);
  for (let index = 0; index < planned.length; index++) {
    const one = planned[index] as PlannedDescriptor;
    const known = denied?.[index];
    if (one.count === undefined) outcomes[index] = judgeUncounted(one);
    else if (known !== undefined) {
      const { state, count } = known;
      const cached = { state, usedBefore: state.before, consumed: true, fromDenyCache: true };
      outcomes[index] = judgeCounted(one, count, cached, nearLimitRatio);
    } else outcomes[index] = reading.judgeNext(one, one.count);
  }
  return { outcomes, storeErrors: reading.storeErrors };
}

export interface Judgement {
  /** One for each descriptor, in order; undefined where its counter could not be reached. */
  readonly outcomes: readonly (DescriptorOutcome | undefined)[];
  /** Why, for each of those. */
  readonly storeErrors: readonly StoreError[];
}

/** Goes through what the store answered, descriptor by descriptor. */
class AnswerReading {
  readonly #answer: Counted;
  readonly #nearLimitRatio: number;
  /** Set where something was not carried out. */
  readonly #usedBefore: ReadonlyMap<string, number> | undefined;
  #hit = 0;
  #descriptor = 0;
  storeErrors: readonly StoreError[] = none;

  constructor({ hits }: Question, answer: Counted, nearLimitRatio: number) {
    this.#answer = answer;
    this.#nearLimitRatio = nearLimitRatio;
    this.#usedBefore = answer.counted === true ? undefined : firstBefore(hits, answer.states);
  }

  judgeNext(one: PlannedDescriptor, count: PlannedCount): DescriptorOutcome | undefined {
    const { counted } = this.#answer;
    const consumed = typeof counted === 'boolean' ? counted : (counted[this.#descriptor] as boolean);
    this.#descriptor += 1;
    const first = this.#judge(one, count, consumed);
    if (one.further.length === 0) return first;
    const others = one.further.map((other) => this.#judge(one, other, consumed));
    return bindingOutcome([first, ...others]);
  }

  #judge(one: PlannedDescriptor, count: PlannedCount, consumed: boolean): DescriptorOutcome | undefined {
    const state = this.#answer.states[this.#hit] as CounterState | StoreError;
    this.#hit += 1;
    if (isStoreError(state)) {
      this.storeErrors = appended(this.storeErrors, state);
      return undefined;
    }
    const usedBefore = this.#usedBefore?.get(count.hit.key) ?? state.before;
    const reading = { state, usedBefore, consumed, fromDenyCache: false };
    return judgeCounted(one, count, reading, this.#nearLimitRatio);
  }
}

/** Giving back drops what is known once more: a hit that was under way meanwhile may have been learned. */
function learn(denyCache: DenyCache, { planned, denied, askedAt }: Question, answer: Counted): void {
  const { states, counted } = answer;
  let next = 0;
  let descriptor = 0;
  for (let index = 0; index < planned.length; index++) {
    const one = planned[index] as PlannedDescriptor;
    const { count, further, isRefund } = one;
    if (count === undefined || denied?.[index] !== undefined) continue;
    const isCounted = typeof counted === 'boolean' ? counted : (counted[descriptor] as boolean);
    descriptor += 1;
    if (isRefund) forget(one, denyCache);
    for (let position = -1; position < further.length; position += 1) {
      const { hit } = position < 0 ? count : (further[position] as PlannedCount);
      const state = states[next] as CounterState | StoreError;
      next += 1;
      if (!isRefund && !isStoreError(state)) denyCache.learn(hit, state, isCounted, askedAt);
    }
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
