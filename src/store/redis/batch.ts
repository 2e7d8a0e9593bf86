import type { Hit } from '../../domain/hit.ts';
import { joinHits } from './join-hits.ts';
import { AnswerReader, isAnswerTo, type SettledCall, senselessAnswer } from './script-answer.ts';
import {
  type ArgumentOptions,
  anyArguments,
  type CallContent,
  fixedWindowArguments,
  inOrderOfKinds,
  isOfFixedWindows,
  storedKeys,
} from './script-arguments.ts';
import type { Task } from './task.ts';

/** One call of a script, ready to be sent. */
export interface Batch extends CallContent {
  /** Which script: that for fixed windows alone, or that for all algorithms. */
  readonly script: 'count_fixed_windows' | 'count_any';
  readonly args: readonly string[];
}

/** Puts tasks into one call. */
export function makeBatch(tasks: readonly Task[], options: ArgumentOptions): Batch {
  const content: CallContent = {
    operations: joinHits(tasks.filter((task) => task.kind === 'hit')),
    compensations: tasks.filter((task) => task.kind === 'compensation'),
    groups: tasks.filter((task) => task.kind === 'group'),
  };
  if (isOfFixedWindows(content)) {
    return { ...content, script: 'count_fixed_windows', args: fixedWindowArguments(content, options) };
  }
  const ordered = { ...content, operations: inOrderOfKinds(content.operations) };
  return { ...ordered, script: 'count_any', args: anyArguments(ordered, options) };
}

/** The keys of a call, each once. */
export function keysOf(batch: Batch): string[] {
  const keys = new Set<string>();
  const add = (one: Pick<Hit, 'key' | 'counting'>) => {
    for (const key of storedKeys(one)) keys.add(key);
  };
  batch.operations.forEach(add);
  batch.compensations.forEach(add);
  for (const { hits } of batch.groups) hits.forEach(add);
  return [...keys];
}

/** Gives each task its part of the script's answer. */
export function settleBatch(batch: Batch, reply: unknown, node: string): SettledCall {
  if (isAnswerTo(batch, reply)) return new AnswerReader(reply, node).settle(batch);
  const error = senselessAnswer(node);
  for (const task of tasksOf(batch)) task.fail(error);
  return { redirected: [], errors: [{ error, hits: sizeOf(batch) }] };
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
