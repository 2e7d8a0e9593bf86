import { windowNumber } from '../../algorithm/count-hit.ts';
import { isDenied } from '../../algorithm/denial.ts';
import type { Hit } from '../../domain/hit.ts';
import type { CounterState, HitResult } from '../counter-store.ts';
import { isStoreError, type StoreError } from '../store-error.ts';
import { type CounterChange, counterChanges } from './counter-changes.ts';
import { CompensationTask, type GroupAnswer, GroupTask, type TaskSink } from './task.ts';

/** What a group needs of the store. */
export interface GroupContext {
  /** The place of a hit's counter, the same object for hits that share it; an error when none is known now. */
  route(hit: Hit): TaskSink | StoreError;
  /** By the monotonic clock: until when something may be given back. */
  compensationDeadline(): number;
  /** Hits of a denied request, all of one place, that were counted, or may have been, and are not given back. */
  compensationLost(node: string, hits: readonly Hit[]): void;
}

type Outcome = GroupAnswer | StoreError;

/** Hits of the request that one place decides on. */
interface Part {
  /** Where they stand in the request. */
  readonly indices: readonly number[];
  /** false: no place for it was known, so nothing of it can have been counted. */
  readonly isSent: boolean;
  outcome: Outcome | undefined;
  /** What came after the deadline, while other parts were still open. */
  late: Outcome | undefined;
}

/**
 * Hits on several places. Each decides for itself; if any denies, or all quotas taken together do, then what the others
 * counted is given back once, in its own window. A place that can't be reached denies nothing.
 */
export class Group {
  readonly #hits: readonly Hit[];
  readonly #deadline: number;
  readonly #context: GroupContext;
  readonly #resolve: (result: HitResult) => void;
  #parts: readonly Part[] = [];
  /** Known when every part has an outcome. */
  #denied: boolean | undefined;

  constructor(
    hits: readonly Hit[],
    deadline: number,
    context: GroupContext,
    resolve: (result: HitResult) => void,
  ) {
    this.#hits = hits;
    this.#deadline = deadline;
    this.#context = context;
    this.#resolve = resolve;
  }

  /** @param placeOf the place of each hit, by its position; the same object for hits that share it */
  start(placeOf: (index: number) => TaskSink | StoreError): void {
    this.#send(
      this.#hits.map((_, index) => index),
      placeOf,
    );
  }

  /** The same for hits of which no more is known than where each key is. */
  startByKey(placeOf: (key: string) => TaskSink): void {
    this.#send(
      this.#hits.map((_, index) => index),
      this.#placeOfKeys(placeOf),
    );
  }

  /** Adds a part for each place that these hits have. All parts are there before the first outcome can be. */
  #send(indices: readonly number[], placeOf: (index: number) => TaskSink | StoreError): void {
    const places = new Map<TaskSink | StoreError, number[]>();
    for (const index of indices) {
      const place = placeOf(index);
      const sharing = places.get(place);
      if (sharing === undefined) places.set(place, [index]);
      else sharing.push(index);
    }
    const parts = [...places].map(([place, own]) => ({
      place,
      part: { indices: own, isSent: isPlace(place), outcome: undefined, late: undefined },
    }));
    this.#parts = [...this.#parts, ...parts.map(({ part }) => part)];
    const spread =
      this.#parts.filter(({ indices: own }) => own.some((index) => this.#isQuota(index))).length > 1;
    for (const { place, part } of parts) {
      if (isPlace(place)) place.add(this.#task(part, spread));
      else this.#answered(part, place);
    }
  }

  /** @param spread quotas are on several places: each is then counted, and judged here with all their counts */
  #task(part: Part, spread: boolean): GroupTask {
    const hits = part.indices.map((index): Hit => {
      return spread && this.#isQuota(index) ? { ...this.#hitAt(index), denies: 'never' } : this.#hitAt(index);
    });
    return new GroupTask(hits, this.#deadline, {
      answered: (outcome) => this.#answered(part, outcome),
      late: (outcome) => this.#answeredLate(part, outcome),
      split: (placeOf) => this.#split(part, placeOf),
    });
  }

  #answered(part: Part, outcome: Outcome): void {
    part.outcome = outcome;
    if (this.#parts.every((one) => one.outcome !== undefined)) this.#finish();
  }

  /** Nothing of a part was executed, as its keys are not all where they were thought to be. */
  #split(part: Part, placeOf: (key: string) => TaskSink): void {
    this.#parts = this.#parts.filter((one) => one !== part);
    this.#send(part.indices, this.#placeOfKeys(placeOf));
  }

  #placeOfKeys(placeOf: (key: string) => TaskSink): (index: number) => TaskSink {
    const places = new Map<string, TaskSink>();
    return (index) => {
      const { key } = this.#hitAt(index);
      const place = places.get(key) ?? placeOf(key);
      places.set(key, place);
      return place;
    };
  }

  #finish(): void {
    const states: (CounterState | StoreError)[] = new Array(this.#hits.length);
    let denied = false;
    for (const { indices, outcome } of this.#parts) {
      if (outcome === undefined) continue;
      if (!isStoreError(outcome) && !outcome.counted) denied = true;
      for (const [position, index] of indices.entries()) {
        states[index] = isStoreError(outcome)
          ? outcome
          : (outcome.states[position] as CounterState | StoreError);
      }
    }
    const counts = states.map((state) => (isStoreError(state) ? undefined : state));
    this.#denied = denied || isDenied(this.#hits, counts);
    this.#resolve({ states, counted: !this.#denied });
    if (!this.#denied) return;
    for (const part of this.#parts) this.#undo(part, part.late ?? part.outcome);
  }

  /** After the deadline of its part: the request has an answer already, or gets one without this part. */
  #answeredLate(part: Part, outcome: Outcome): void {
    if (part.outcome === undefined || !isStoreError(part.outcome) || part.outcome.kind !== 'timeout') return;
    if (this.#denied === undefined) part.late = outcome;
    else if (this.#denied) this.#undo(part, outcome);
  }

  #undo(part: Part, outcome: Outcome | undefined): void {
    if (outcome === undefined) return;
    const hits = part.indices.map((index) => this.#hitAt(index));
    if (isStoreError(outcome)) {
      // A broken connection does not tell; a timeout may be followed by a late answer, which does.
      if (part.isSent && outcome.kind === 'connection') this.#context.compensationLost(outcome.node, hits);
    } else if (outcome.counted) {
      for (const change of counterChanges(hits, outcome.states)) this.#giveBack(change, outcome);
    }
  }

  #giveBack({ key, counting, hits, sum }: CounterChange, { nowMs, node, granted }: GroupAnswer): void {
    const lost = (error: StoreError) =>
      this.#context.compensationLost(error.node === '' ? node : error.node, hits);
    const place = this.#context.route(hits[0] as Hit);
    if (!isPlace(place)) {
      lost(place);
      return;
    }
    const lowest = granted?.get(key) ?? 0;
    const undo = { key, counting, cost: -sum, lowest, window: windowNumber(counting, nowMs) };
    place.add(
      new CompensationTask(undo, this.#context.compensationDeadline(), (error) => {
        if (error !== undefined) lost(error);
      }),
    );
  }

  #hitAt(index: number): Hit {
    return this.#hits[index] as Hit;
  }

  #isQuota(index: number): boolean {
    const { denies } = this.#hitAt(index);
    return denies === 'together' || denies === 'with-previous';
  }
}

export function isPlace(place: TaskSink | StoreError): place is TaskSink {
  return !isStoreError(place);
}
