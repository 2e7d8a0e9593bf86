import { countAfter, msUntilReset } from '../../algorithm/fixed-window.ts';
import type { Denies, Hit } from '../../domain/hit.ts';
import type { CounterState } from '../counter-store.ts';
import type { StoreError } from '../store-error.ts';
import { joinHits, type Operation } from './join-hits.ts';
import { storeErrorOf } from './redis-error.ts';
import type { CompensationTask, GroupTask, Task } from './task.ts';

/** One call of `lua/fixed_window.lua`, ready to be sent. */
export interface Batch {
  readonly operations: readonly Operation[];
  readonly compensations: readonly CompensationTask[];
  readonly groups: readonly GroupTask[];
  /** As the script's header says. */
  readonly args: readonly string[];
}

/** The script's count of a window is modulo this. */
const windowLimit = 2 ** 20;
const notLocal = -1;
const deniesLetter: Readonly<Record<Denies, string>> = { always: 'a', together: 't', never: 'n' };

/** Puts tasks into one call. `maxJitterMs` is the longest extra life of a key. */
export function makeBatch(tasks: readonly Task[], maxJitterMs: number): Batch {
  const operations = joinHits(tasks.filter((task) => task.kind === 'hit'));
  const compensations = tasks.filter((task) => task.kind === 'compensation');
  const groups = tasks.filter((task) => task.kind === 'group');
  const args = [String(maxJitterMs), String(operations.length), String(compensations.length)];
  for (const { key, windowSeconds, cost } of operations) args.push(key, String(windowSeconds), String(cost));
  for (const { key, windowSeconds, cost, window } of compensations) {
    args.push(key, String(windowSeconds), String(cost), String(window % windowLimit));
  }
  for (const { hits } of groups) {
    args.push(String(hits.length));
    for (const { key, windowSeconds, cost, limit, denies } of hits) {
      args.push(key, String(windowSeconds), String(cost), String(limit), deniesLetter[denies]);
    }
  }
  return { operations, compensations, groups, args };
}

/** The keys of a call, each once. */
export function keysOf(batch: Batch): string[] {
  const keys = new Set<string>();
  for (const { key } of batch.operations) keys.add(key);
  for (const { key } of batch.compensations) keys.add(key);
  for (const { hits } of batch.groups) for (const { key } of hits) keys.add(key);
  return [...keys];
}

/**
 * Gives each task its part of the script's answer.
 * @returns the tasks that were not executed because a key is not the node's, and the errors of the others
 */
export function settleBatch(batch: Batch, reply: unknown, node: string): SettledBatch {
  if (!isAnswerTo(batch, reply)) {
    const error: StoreError = {
      kind: 'script',
      message: 'the script gave an answer that makes no sense',
      node,
    };
    for (const task of tasksOf(batch)) task.fail(error);
    return { redirected: [], errors: [{ error, hits: sizeOf(batch) }] };
  }
  return new ReplyReader(reply, node).settle(batch);
}

export interface SettledBatch {
  readonly redirected: readonly Task[];
  readonly errors: readonly { readonly error: StoreError; readonly hits: number }[];
}

/** Every task of a batch. */
export function* tasksOf(batch: Batch): Generator<Task> {
  for (const operation of batch.operations) yield* operation.tasks;
  yield* batch.compensations;
  yield* batch.groups;
}

function sizeOf(batch: Batch): number {
  let size = 0;
  for (const task of tasksOf(batch)) size += task.size;
  return size;
}

function isAnswerTo(batch: Batch, reply: unknown): reply is readonly (number | string)[] {
  if (!Array.isArray(reply) || !reply.every((part) => typeof part === 'number' || typeof part === 'string')) {
    return false;
  }
  let length = 1 + batch.operations.length + batch.compensations.length;
  for (const { size } of batch.groups) length += reply[length] === notLocal ? 1 : 1 + size;
  return typeof reply[0] === 'number' && reply.length === length;
}

class ReplyReader {
  readonly #reply: readonly (number | string)[];
  readonly #node: string;
  readonly #nowMs: number;
  readonly #redirected: Task[] = [];
  readonly #errors: { error: StoreError; hits: number }[] = [];
  #at = 0;

  constructor(reply: readonly (number | string)[], node: string) {
    this.#reply = reply;
    this.#node = node;
    this.#nowMs = this.#next() as number;
  }

  settle(batch: Batch): SettledBatch {
    for (const operation of batch.operations) this.#settleOperation(operation);
    for (const compensation of batch.compensations) this.#settleCompensation(compensation);
    for (const group of batch.groups) this.#settleGroup(group);
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

  #settleOperation({ tasks, windowSeconds }: Operation): void {
    const found = this.#next();
    if (typeof found === 'string') {
      const error = this.#error(found, tasks.length);
      for (const task of tasks) task.fail(error);
      return;
    }
    if (found === notLocal) {
      for (const task of tasks) this.#redirected.push(task);
      return;
    }
    const untilReset = msUntilReset(this.#nowMs, windowSeconds);
    let before = found;
    for (const task of tasks) {
      const after = countAfter(before, task.hit.cost);
      task.settle({ before, after, msUntilReset: untilReset });
      before = after;
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
    const states = task.hits.map((hit) => this.#groupState(hit));
    task.settle({ states, counted: verdict === 1, nowMs: this.#nowMs, node: this.#node });
  }

  #groupState(hit: Hit): CounterState | StoreError {
    const before = this.#next();
    if (typeof before === 'string') return this.#error(before, 1);
    const after = countAfter(before, hit.cost);
    return { before, after, msUntilReset: msUntilReset(this.#nowMs, hit.windowSeconds) };
  }
}
