import type { Counting } from '../../domain/counting.ts';
import type { Hit } from '../../domain/hit.ts';
import type { CounterState, HitResult } from '../counter-store.ts';
import type { StoreError } from '../store-error.ts';

/** Takes tasks and sees to their answers. */
export interface TaskSink {
  add(task: Task): void;
}

/** What a node does in one atomic step. It is answered once: with states, or with an error. */
export type Task = HitTask | GroupTask | CompensationTask;

/** One hit of a call that counts every hit. */
export class HitTask {
  readonly kind = 'hit';
  readonly hit: Hit;
  redirects = 0;
  settled = false;
  readonly #call: HitCall;
  readonly #index: number;

  constructor(hit: Hit, index: number, call: HitCall) {
    this.hit = hit;
    this.#index = index;
    this.#call = call;
  }

  get size(): number {
    return 1;
  }

  get deadline(): number {
    return this.#call.deadline;
  }

  settle(state: CounterState | StoreError): void {
    if (this.settled) return;
    this.settled = true;
    this.#call.settle(this.#index, state);
  }

  fail(error: StoreError): void {
    this.settle(error);
  }
}

/** A call that counts every hit: done when each hit has its state. */
export class HitCall {
  readonly deadline: number;
  readonly #states: (CounterState | StoreError)[];
  readonly #done: (result: HitResult) => void;
  #open: number;

  constructor(size: number, deadline: number, done: (result: HitResult) => void) {
    this.deadline = deadline;
    this.#states = new Array(size);
    this.#open = size;
    this.#done = done;
  }

  settle(index: number, state: CounterState | StoreError): void {
    this.#states[index] = state;
    this.#open -= 1;
    if (this.#open === 0) this.#done({ states: this.#states, counted: true });
  }
}

/** What a node made of a group. */
export interface GroupAnswer {
  readonly states: readonly (CounterState | StoreError)[];
  readonly counted: boolean;
  /** The node's time, in ms since the epoch. */
  readonly nowMs: number;
  readonly node: string;
  /** By key, the counts of windows that were found below 0, as something was granted; undefined where none was. */
  readonly granted?: ReadonlyMap<string, number> | undefined;
}

/** Hits that are counted together or not at all. */
export class GroupTask {
  readonly kind = 'group';
  readonly hits: readonly Hit[];
  readonly deadline: number;
  redirects = 0;
  settled = false;
  readonly #listener: GroupListener;

  constructor(hits: readonly Hit[], deadline: number, listener: GroupListener) {
    this.hits = hits;
    this.deadline = deadline;
    this.#listener = listener;
  }

  get size(): number {
    return this.hits.length;
  }

  settle(answer: GroupAnswer): void {
    if (this.settled) this.#listener.late(answer);
    else {
      this.settled = true;
      this.#listener.answered(answer);
    }
  }

  fail(error: StoreError): void {
    if (this.settled) this.#listener.late(error);
    else {
      this.settled = true;
      this.#listener.answered(error);
    }
  }

  split(placeOf: (key: string) => TaskSink): void {
    if (this.settled) return;
    this.settled = true;
    this.#listener.split(placeOf);
  }
}

/** Who sent a group. */
export interface GroupListener {
  /** Called once, by the deadline; or {@link split} is. */
  answered(answer: GroupAnswer | StoreError): void;
  /** Called after a `timeout`, when what was on its way is answered after all, or broke. */
  late(answer: GroupAnswer | StoreError): void;
  /** Its keys are not all in one place, and nothing was executed: it is to be sent in parts of one key each. */
  split(placeOf: (key: string) => TaskSink): void;
}

/** Undoes what a group counted, in its own window only. */
export class CompensationTask {
  readonly kind = 'compensation';
  readonly key: string;
  readonly counting: Counting;
  readonly cost: number;
  /** What it may leave at least: the count that was found, or 0 if that is less. */
  readonly lowest: number;
  /** What tells the window from others, see `windowNumber`. */
  readonly window: number;
  readonly deadline: number;
  redirects = 0;
  settled = false;
  readonly #done: (error: StoreError | undefined) => void;

  constructor(
    undo: Pick<CompensationTask, 'key' | 'counting' | 'cost' | 'lowest' | 'window'>,
    deadline: number,
    done: (error: StoreError | undefined) => void,
  ) {
    this.key = undo.key;
    this.counting = undo.counting;
    this.cost = undo.cost;
    this.lowest = undo.lowest;
    this.window = undo.window;
    this.deadline = deadline;
    this.#done = done;
  }

  get size(): number {
    return 1;
  }

  settle(): void {
    if (this.settled) return;
    this.settled = true;
    this.#done(undefined);
  }

  fail(error: StoreError): void {
    if (this.settled) return;
    this.settled = true;
    this.#done(error);
  }
}
