import type { StoreError } from '../store-error.ts';

export interface AdmissionOptions {
  /** For errors. */
  readonly node: string;
  readonly maxHitsPerCall: number;
  readonly maxCallsInFlight: number;
  readonly maxWaitingHits: number;
}

/** Of the latest call in the average. */
const callWeight = 0.2;

/**
 * Whether there is room for one more hit: not when too much waits in any case, nor when so much waits that it would not be
 * answered in time. What waits for its turn in vain takes it from others.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  /** How long a call takes, from sending to answer, in ms: a moving average. */
  #callMs = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** A call was answered, or broke. */
  answered(ms: number): void {
    this.#callMs += (ms - this.#callMs) * callWeight;
  }

  /**
   * @param waitingHits that are to be sent before
   * @param leftMs until the deadline of those that want to wait
   * @returns why they may not
   */
  refusal(waitingHits: number, hits: number, leftMs: number): StoreError | undefined {
    const { node, maxHitsPerCall, maxCallsInFlight, maxWaitingHits } = this.#options;
    // Those that go with the next call are always let in: how else would be known that the node is fast again.
    if (waitingHits < maxHitsPerCall) return undefined;
    if (waitingHits + hits > maxWaitingHits) {
      return { kind: 'overload', message: 'too many hits wait for this node', node };
    }
    const calls = waitingHits / maxHitsPerCall / maxCallsInFlight + 1;
    return calls * this.#callMs < leftMs
      ? undefined
      : { kind: 'overload', message: 'too many hits wait to be answered in time', node };
  }
}
