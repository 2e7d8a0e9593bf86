import type { StoreError, StoreErrorKind } from '../store-error.ts';
import { ResultWindow } from './result-window.ts';
import type { BreakerChange, BreakerState } from './store-event.ts';

export interface BreakerOptions {
  /** For errors. */
  readonly node: string;
  readonly onChange: (change: BreakerChange) => void;
}

/** It opens when at least half of at least so many results of the last second are failures. */
const leastResults = 20;

/** An open breaker lets one call through in this time. */
const probeEveryMs = 1_000;

/**
 * Kinds of error that say something of the whole node. The others are about one key, which a caller may have chosen, or
 * about a queue of ours: none of them may keep the hits of everybody else from being counted.
 */
export const failuresOfNode: ReadonlySet<StoreErrorKind> = new Set<StoreErrorKind>([
  'timeout',
  'connection',
  'loading',
  'readonly',
  'cluster',
  'busy',
  'memory',
  'denied',
  'script',
]);

/**
 * Keeps hits from a node that does not answer: while it is open they get an error at once, instead of waiting until their
 * time is up. Pure: it is handed the time, monotonic and in ms.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #results = new ResultWindow();
  #state: BreakerState = 'closed';
  #probeAt = 0;
  #error: StoreError;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#error = { kind: 'breaker', message: 'not asked', node: options.node };
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Why a call may not be sent now; undefined when it may. */
  refusal(now: number): StoreError | undefined {
    return this.#state === 'closed' || now >= this.#probeAt ? undefined : this.#error;
  }

  /** A call is sent, which {@link refusal} had nothing against. */
  sending(now: number): void {
    if (this.#state === 'closed') return;
    this.#probeAt = now + probeEveryMs;
    if (this.#state === 'open') this.#become('half-open', 'probe', 'one call finds out whether it answers');
  }

  /** So many hits were answered in time. */
  succeeded(hits: number, now: number): void {
    if (this.#state === 'closed') this.#results.add(now, hits, 0);
    else if (hits > 0) this.#close('answered', 'the node answers');
  }

  /** So many hits got this error. */
  failed(hits: number, { kind, message }: StoreError, now: number): void {
    if (!failuresOfNode.has(kind)) return;
    this.#results.add(now, 0, hits);
    if (this.#state === 'closed' && !this.#isBad(now)) return;
    this.#error = { ...this.#error, message: `not asked, after: ${message}` };
    if (this.#state === 'open') return;
    if (this.#state === 'closed') this.#probeAt = now + probeEveryMs;
    this.#become('open', kind, message);
  }

  /** The node has proved itself on a new connection. */
  reset(): void {
    this.#results.clear();
    if (this.#state !== 'closed') this.#close('connected', 'the node answered on a new connection');
  }

  #isBad(now: number): boolean {
    const { succeeded, failed } = this.#results.sums(now);
    return succeeded + failed >= leastResults && failed >= succeeded;
  }

  #close(cause: BreakerChange['cause'], reason: string): void {
    this.#results.clear();
    this.#become('closed', cause, reason);
  }

  #become(to: BreakerState, cause: BreakerChange['cause'], reason: string): void {
    const from = this.#state;
    this.#state = to;
    this.#options.onChange({ from, to, cause, reason });
  }
}
