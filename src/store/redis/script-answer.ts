import { countHit, windowNumber } from '../../algorithm/count-hit.ts';
import type { Counter } from '../../algorithm/counter.ts';
import { countAfter, msUntilEnd } from '../../algorithm/fixed-window.ts';
import { slidingCounter } from '../../algorithm/sliding-window.ts';
import type { Counting } from '../../domain/counting.ts';
import type { Hit } from '../../domain/hit.ts';
import { stateOf } from '../counter-state.ts';
import type { CounterState } from '../counter-store.ts';
import type { StoreError } from '../store-error.ts';
import type { Operation } from './join-hits.ts';
import { storeErrorOf } from './redis-error.ts';
import type { CallContent } from './script-arguments.ts';
import type { CompensationTask, GroupTask, HitTask, Task } from './task.ts';

export interface SettledCall {
  /** Tasks that were not executed because a key is not the node's. */
  readonly redirected: readonly Task[];
  readonly errors: readonly { readonly error: StoreError; readonly hits: number }[];
}

/** What a script answers: numbers, and the texts of errors. */
export type ScriptAnswer = readonly (number | string)[];

/** No count is this: it answers that a key is not the node's. */
export const notLocal = -(2 ** 33);

/** Whether an answer has the form that the scripts' headers say. */
export function isAnswerTo(
  { operations, compensations, groups }: CallContent,
  reply: unknown,
): reply is ScriptAnswer {
  if (!Array.isArray(reply) || !reply.every((part) => typeof part === 'number' || typeof part === 'string')) {
    return false;
  }
  let length = 1;
  for (const { counting } of operations) length += sizeOfFound(counting, reply[length]);
  length += compensations.length;
  for (const { hits } of groups) {
    const isExecuted = reply[length] !== notLocal;
    length += 1;
    if (isExecuted) for (const { counting } of hits) length += sizeOfFound(counting, reply[length]);
  }
  return typeof reply[0] === 'number' && reply.length === length;
}

/** The error of an answer that does not. */
export function senselessAnswer(node: string): StoreError {
  return { kind: 'script', message: 'the script gave an answer that makes no sense', node };
}

function sizeOfFound({ kind }: Counting, first: number | string | undefined): number {
  return kind === 'sliding_window' && typeof first === 'number' && first !== notLocal ? 2 : 1;
}

/** Gives each task its part of an answer. */
export class AnswerReader {
  readonly #reply: ScriptAnswer;
  readonly #node: string;
  readonly #nowMs: number;
  readonly #redirected: Task[] = [];
  readonly #errors: { error: StoreError; hits: number }[] = [];
  #at = 0;
  /** Of the group that is read. */
  #granted: Map<string, number> | undefined;

  constructor(reply: ScriptAnswer, node: string) {
    this.#reply = reply;
    this.#node = node;
    this.#nowMs = this.#next() as number;
  }

  settle({ operations, compensations, groups }: CallContent): SettledCall {
    for (const operation of operations) this.#settleOperation(operation);
    for (const compensation of compensations) this.#settleCompensation(compensation);
    for (const group of groups) this.#settleGroup(group);
    return { redirected: this.#redirected, errors: this.#errors };
  }

  #next(): number | string {
    const part = this.#reply[this.#at] as number | string;
    this.#at += 1;
    return part;
  }

  #error(text: string, hits: number): StoreError {
    const error = storeErrorOf(text, this.#node);
    this.#errors.push({ error, hits });
    return error;
  }

  #settleOperation({ tasks, counting }: Operation): void {
    const found = this.#next();
    if (typeof found === 'string') {
      const error = this.#error(found, tasks.length);
      for (const task of tasks) task.fail(error);
    } else if (found === notLocal) {
      for (const task of tasks) this.#redirected.push(task);
    } else if (counting.kind === 'fixed_window') {
      this.#settleInWindow(tasks, found, msUntilEnd(this.#nowMs, counting.windowSeconds));
    } else {
      this.#settleOnCounter(tasks, this.#counter(counting, found));
    }
  }

  /** The same as {@link #settleOnCounter}, for what nearly every limit is. */
  #settleInWindow(tasks: readonly HitTask[], found: number, msUntilReset: number): void {
    let before = found;
    for (const task of tasks) {
      const after = countAfter(before, task.hit.cost);
      task.settle({ before, after, msUntilReset });
      before = after;
    }
  }

  /** The script told what the first hit found; what the others found and all of them left, the specification tells. */
  #settleOnCounter(tasks: readonly HitTask[], found: Counter): void {
    let counter: Counter | undefined = found;
    for (const task of tasks) {
      const counted = countHit(counter, this.#nowMs, task.hit);
      task.settle(stateOf(task.hit, counted, counted.counter, this.#nowMs));
      counter = counted.counter;
    }
  }

  #settleCompensation(task: CompensationTask): void {
    const result = this.#next();
    if (typeof result === 'string') task.fail(this.#error(result, 1));
    else if (result === notLocal) this.#redirected.push(task);
    else task.settle();
  }

  #settleGroup(task: GroupTask): void {
    const verdict = this.#next();
    if (verdict === notLocal) {
      this.#redirected.push(task);
      return;
    }
    const counted = verdict === 1;
    this.#granted = undefined;
    const found = new Map<string, Counter>();
    const states = task.hits.map((hit) => this.#groupState(hit, counted ? undefined : found));
    task.settle({ states, counted, nowMs: this.#nowMs, node: this.#node, granted: this.#granted });
  }

  /** @param firstFound for a group that was not counted: what the first hit on each key found, which is what there still is */
  #groupState(hit: Hit, firstFound: Map<string, Counter> | undefined): CounterState | StoreError {
    const found = this.#next();
    if (typeof found === 'string') return this.#error(found, 1);
    if (found < 0 && this.#granted?.has(hit.key) !== true) {
      this.#granted ??= new Map();
      this.#granted.set(hit.key, found);
    }
    const counter = this.#counter(hit.counting, found);
    const counted = countHit(counter, this.#nowMs, hit);
    if (firstFound === undefined) return stateOf(hit, counted, counted.counter, this.#nowMs);
    const left = firstFound.get(hit.key) ?? counter;
    firstFound.set(hit.key, left);
    return stateOf(hit, counted, left, this.#nowMs);
  }

  /** The counter that a hit found, from what its algorithm answers. */
  #counter(counting: Counting, found: number): Counter {
    const second = counting.kind === 'sliding_window' ? (this.#next() as number) : 0;
    return counterOfFound(counting, this.#nowMs, found, second);
  }
}

/** @param second the hits of the window before, where a window slides */
export function counterOfFound(counting: Counting, nowMs: number, found: number, second: number): Counter {
  switch (counting.kind) {
    case 'fixed_window':
    case 'calendar_window':
      return { window: windowNumber(counting, nowMs), count: found };
    case 'sliding_window':
      return slidingCounter({ window: windowNumber(counting, nowMs), current: found, previous: second });
    case 'token_bucket':
      return { atMs: nowMs, missing: found };
  }
}
