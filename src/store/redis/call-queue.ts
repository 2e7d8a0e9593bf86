import type { Clock } from '../../domain/clock.ts';
import type { StoreError } from '../store-error.ts';
import { Admission } from './admission.ts';
import { type Batch, makeBatch, settleBatch, tasksOf } from './batch.ts';
import type { Breaker } from './breaker.ts';
import { redisErrorRow, storeErrorOf } from './redis-error.ts';
import type { RedisPoolListener } from './store-event.ts';
import type { Task } from './task.ts';

/** Where a queue's calls go: a node, or the node that has a certain slot or key. */
export interface Destination {
  /** For errors and events. */
  readonly node: string;
  /** Why nothing can be sent now; undefined when it can. */
  unavailable(): StoreError | undefined;
  /** Of the node; undefined where it is not known beforehand which node that is. */
  breaker(): Breaker | undefined;
  /**
   * Calls the script; rejects with what the client or the server said.
   * @param isWanted whether anybody still waits for the answer, for a retry
   */
  send(batch: Batch, isWanted: () => boolean): Promise<unknown>;
  /**
   * Takes over tasks that were not executed because they belong elsewhere.
   * @returns those that it has no place for, and the error that they are to get
   */
  redirect(tasks: readonly Task[], reason: StoreError): Unplaced;
  /** Told of every error of a hit. */
  noticed(error: StoreError): void;
}

/** Tasks that were not executed, and will not be. */
export interface Unplaced {
  readonly tasks: readonly Task[];
  readonly error: StoreError;
}

export interface QueueLimits {
  /** More hits than this hold the server up for too long: 256 take about 0.3 ms. A group is never split. */
  readonly maxHitsPerCall: number;
  /** While one call is on its way another can be worked on; more would only queue in Redis instead of here. */
  readonly maxCallsInFlight: number;
  /** Hits beyond this get an `overload` error. */
  readonly maxWaitingHits: number;
}

export const defaultQueueLimits: QueueLimits = Object.freeze({
  maxHitsPerCall: 256,
  maxCallsInFlight: 2,
  maxWaitingHits: 10_000,
});

/** What all queues of one Redis share. */
export interface QueueContext {
  readonly clock: Clock;
  readonly limits: QueueLimits;
  /** Longest extra life of a key; see the script. */
  readonly maxJitterMs: number;
  readonly onEvent: RedisPoolListener;
  /** Has {@link CallQueue.sweep} called when this deadline is due. */
  watch(deadline: number): void;
  /** Queues of the store in which something waits or is on its way. */
  readonly active: Set<CallQueue>;
}

interface SentCall {
  readonly batch: Batch;
  readonly sentAt: number;
  /** Hits of it that had no answer in time. */
  expired: number;
}

/** Tasks for one destination: those of one loop turn go in one script call. */
export class CallQueue {
  readonly #destination: Destination;
  readonly #context: QueueContext;
  readonly #admission: Admission;
  /**
   * Calls on their way. Not a Map: one that is added to and deleted from for ever leaves tables behind, each of which keeps
   * the next, and so all these calls, until the whole heap is collected.
   */
  #calls: readonly SentCall[] = [];
  #waiting: Task[] = [];
  #waitingHits = 0;
  #scheduled = false;
  /** By how much the server's clock is ahead of this one, as it last answered. */
  #aheadMs = 0;

  constructor(destination: Destination, context: QueueContext) {
    this.#destination = destination;
    this.#context = context;
    this.#admission = new Admission({ node: destination.node, ...context.limits });
  }

  add(task: Task): void {
    const leftMs = task.deadline - this.#context.clock.monotonic();
    const refusal = this.#refusal() ?? this.#admission.refusal(this.#waitingHits, task.size, leftMs);
    if (refusal !== undefined) {
      this.#fail([task], refusal);
      return;
    }
    this.#waiting.push(task);
    this.#waitingHits += task.size;
    this.#context.active.add(this);
    this.#context.watch(task.deadline);
    this.#schedule();
  }

  /**
   * Gives a `timeout` to every task whose deadline had passed at that time, when answers that were there by then have been
   * read. What was sent later than that, or is just about to be, has had no chance yet and is left for the next time.
   * @returns the earliest deadline of the others
   */
  sweep(readAt: number): number {
    const expired: Task[] = [];
    let next = Number.POSITIVE_INFINITY;
    const visit = (task: Task, hadItsChance: boolean): boolean => {
      if (task.settled) return false;
      const isExpired = hadItsChance && task.deadline <= readAt;
      if (isExpired) expired.push(task);
      else next = Math.min(next, task.deadline);
      return isExpired;
    };
    for (const call of this.#calls) {
      for (const task of tasksOf(call.batch))
        if (visit(task, call.sentAt < readAt)) call.expired += task.size;
    }
    for (const task of this.#waiting) visit(task, !this.#scheduled);
    if (expired.length === 0) return next;
    const { node } = this.#destination;
    this.#fail(expired, { kind: 'timeout', message: 'no answer within the time allowed', node });
    this.#setWaiting(this.#waiting.filter((task) => !task.settled));
    const refusal = this.#refusal();
    if (refusal !== undefined) this.#failWaiting(refusal);
    return next;
  }

  /** Gives all that waits or is on its way this error. */
  abandon(error: StoreError): void {
    for (const { batch } of this.#calls) this.#fail([...tasksOf(batch)], error);
    this.#failWaiting(error);
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    if (this.#calls.length >= this.#context.limits.maxCallsInFlight) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#waiting.length > 0 && this.#calls.length < this.#context.limits.maxCallsInFlight) {
      const unavailable = this.#destination.unavailable();
      const refusal = unavailable ?? this.#refusal();
      if (refusal !== undefined) this.#failWaiting(refusal);
      else void this.#call(this.#take());
    }
    this.#rest();
  }

  /** An open breaker lets one call through, and nothing can be that call while the places of calls are taken. */
  #refusal(): StoreError | undefined {
    const breaker = this.#destination.breaker();
    if (breaker === undefined || breaker.state === 'closed') return undefined;
    const isFull = this.#calls.length >= this.#context.limits.maxCallsInFlight;
    return breaker.refusal(isFull ? Number.NEGATIVE_INFINITY : this.#context.clock.monotonic());
  }

  #take(): Task[] {
    let hits = 0;
    let count = 0;
    for (const task of this.#waiting) {
      if (count > 0 && hits + task.size > this.#context.limits.maxHitsPerCall) break;
      hits += task.size;
      count += 1;
    }
    const taken = this.#waiting;
    this.#waiting = taken.splice(count);
    this.#waitingHits -= hits;
    return taken;
  }

  async #call(tasks: readonly Task[]): Promise<void> {
    const { clock, maxJitterMs, onEvent } = this.#context;
    const batch = makeBatch(tasks, { maxJitterMs, serverMs: clock.now() + this.#aheadMs });
    const hits = sizeOf(tasks);
    const sent: SentCall = { batch, sentAt: clock.monotonic(), expired: 0 };
    this.#destination.breaker()?.sending(sent.sentAt);
    this.#calls = [...this.#calls, sent];
    const outcome = await this.#destination
      .send(batch, () => tasks.some((task) => !task.settled))
      .then(
        (reply) => ({ reply }),
        (error: unknown) => ({ error }),
      );
    this.#calls = this.#calls.filter((call) => call !== sent);
    const operations = batch.operations.length + batch.compensations.length + batch.groups.length;
    const ms = clock.monotonic() - sent.sentAt;
    this.#admission.answered(ms);
    onEvent({ kind: 'call', node: this.#destination.node, hits, operations, ms });
    if ('error' in outcome) this.#callFailed(tasks, outcome.error);
    else this.#callAnswered(sent, hits, outcome.reply);
    this.#schedule();
    this.#rest();
  }

  #callAnswered({ batch, expired }: SentCall, hits: number, reply: unknown): void {
    const { node } = this.#destination;
    const { redirected, errors } = settleBatch(batch, reply, node);
    if (Array.isArray(reply)) this.#aheadMs = (Number(reply[0]) || 0) - this.#context.clock.now();
    let inTime = hits - expired;
    for (const { error, hits: failed } of errors) {
      inTime -= failed;
      this.#report(error, failed);
    }
    if (inTime > 0) this.#destination.breaker()?.succeeded(inTime, this.#context.clock.monotonic());
    if (redirected.length === 0) return;
    this.#redirect(redirected, { kind: 'cluster', message: 'the key belongs to another node', node });
  }

  #callFailed(tasks: readonly Task[], thrown: unknown): void {
    const error = storeErrorOf(thrown, this.#destination.node);
    const row = redisErrorRow(thrown instanceof Error ? thrown.message : String(thrown));
    if (row.retry === 'by-key') this.#redirect(tasks, error);
    else this.#fail(tasks, error);
  }

  #redirect(tasks: readonly Task[], reason: StoreError): void {
    // Nothing was executed, so one whose time is up has no late answer either.
    const open = tasks.filter((task) => !task.settled);
    const unplaced = this.#destination.redirect(open, reason);
    this.#fail(unplaced.tasks, unplaced.error);
  }

  #failWaiting(error: StoreError): void {
    const waiting = this.#waiting;
    this.#setWaiting([]);
    this.#fail(waiting, error);
  }

  #fail(tasks: readonly Task[], error: StoreError): void {
    const hits = sizeOf(tasks.filter((task) => !task.settled));
    for (const task of tasks) task.fail(error);
    if (hits > 0) this.#report(error, hits);
  }

  #report(error: StoreError, hits: number): void {
    const { kind: errorKind, message, node } = error;
    this.#context.onEvent({ kind: 'error', node, errorKind, hits, message });
    this.#destination.noticed(error);
    this.#destination.breaker()?.failed(hits, error, this.#context.clock.monotonic());
  }

  #setWaiting(tasks: Task[]): void {
    this.#waiting = tasks;
    this.#waitingHits = sizeOf(tasks);
    this.#rest();
  }

  #rest(): void {
    if (this.#calls.length === 0 && this.#waiting.length === 0) this.#context.active.delete(this);
  }
}

function sizeOf(tasks: readonly Task[]): number {
  let size = 0;
  for (const task of tasks) size += task.size;
  return size;
}
