import type { Hit } from '../../domain/hit.ts';
import type { HitResult } from '../counter-store.ts';
import { isStoreError, type StoreError } from '../store-error.ts';
import { Group, type GroupContext, isPlace } from './group.ts';
import { type GroupAnswer, GroupTask, type TaskSink } from './task.ts';

/**
 * Counts a request's hits unless it is denied by them. On one place, as nearly always, that is one step, and nothing is ever
 * to be given back; on several it is a {@link Group}.
 */
export function hitGroup(hits: readonly Hit[], deadline: number, context: GroupContext): Promise<HitResult> {
  const places = hits.map((hit) => context.route(hit));
  const place = onlyPlace(places);
  return new Promise((resolve) => {
    if (place === undefined) {
      new Group(hits, deadline, context, resolve).start((index) => places[index] as TaskSink | StoreError);
      return;
    }
    const task = new GroupTask(hits, deadline, {
      answered: (answer) => resolve(resultOf(hits, answer)),
      late: () => {},
      split: (placeOf) => new Group(hits, deadline, context, resolve).startByKey(placeOf),
    });
    place.add(task);
  });
}

function onlyPlace(places: readonly (TaskSink | StoreError)[]): TaskSink | undefined {
  const [first] = places;
  if (first === undefined || !isPlace(first)) return undefined;
  for (const place of places) if (place !== first) return undefined;
  return first;
}

function resultOf(hits: readonly Hit[], answer: GroupAnswer | StoreError): HitResult {
  if (isStoreError(answer)) return { states: hits.map(() => answer), counted: true };
  return { states: answer.states, counted: answer.counted };
}
