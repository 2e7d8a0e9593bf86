import type { Adjustment } from '../domain/adjustment.ts';
import type { Hit } from '../domain/hit.ts';
import type { StoreError } from './store-error.ts';

/** A counter as one hit found and left it. Both counts go up to 2^32, and below 0 where more was granted than used. */
export interface CounterState {
  readonly before: number;
  /** With `counted: false`, what it would have been. */
  readonly after: number;
  /**
   * By the store's clock, from 0: until the limit is as if nobody had come; of a hit that is over, until one like it is within
   * the limit. In windows that begin at 0 both are the end of the window. All states of a node are of one time.
   */
  readonly msUntilReset: number;
}

/** What became of a request's hits. `states` has one element for each hit, in order. */
export interface HitResult {
  readonly states: readonly (CounterState | StoreError)[];
  /** false only in answer to {@link CounterStore.hitUnlessDenied}: the request is denied and nothing was consumed. */
  readonly counted: boolean;
}

/**
 * Where counters live. Every store obeys the same contract (`test/case/counter-store.case.ts`):
 *
 * - What a hit finds and leaves is what the reducer of its algorithm says (`algorithm/count-hit.ts`), by the store's own clock.
 * - Hits of one call with equal keys are done in order, each after those before it.
 * - In windows that begin at 0: a counter of another window counts as 0. Taking: `after = min(before + cost, 2^32)`. Giving
 *   back: `after = max(before + cost, 0)`, or `before` where that is less. Looking: `after = before`.
 * - Giving back and looking create no counter.
 * - A hit is done once or not at all. When it is not known which, its state is a StoreError.
 * - A call never rejects: an error is the state of the hits that it concerns.
 */
export interface CounterStore {
  /**
   * Does every hit.
   * @param deadline by {@link Clock.monotonic}, in ms; hits without an answer by then get a `timeout` error.
   */
  hit(hits: readonly Hit[], deadline: number): Promise<HitResult>;

  /**
   * Does every hit, unless the request is denied by them: then none. Hits are judged in order, equal keys with a running
   * sum; a hit that gives back is never over. When hits live on several nodes the guarantee is per node: what one node
   * took is given back, in its own window only, when another denies.
   */
  hitUnlessDenied(hits: readonly Hit[], deadline: number): Promise<HitResult>;

  /** Resolves when the store has answered once; never rejects. Used for readiness. */
  readonly ready: Promise<void>;

  /** Whether a call made now has a live connection to go to. */
  isConnected(): boolean;

  /** Ends connections. Hits that still wait get an error. */
  close(): Promise<void>;
}

/** A counter store that people may change counters of. What decides has no need of it. */
export interface AdjustableStore extends CounterStore {
  /**
   * Does what a person wants done to the counter of a hit, whose cost is of no interest, in one step. Not for the path of a
   * request: each call goes to the store by itself. Never rejects; after a `timeout` it may have been done.
   */
  adjust(hit: Hit, adjustment: Adjustment, deadline: number): Promise<CounterState | StoreError>;
}
