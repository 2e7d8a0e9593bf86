import { InterceptingCall, type Interceptor } from '@grpc/grpc-js';

/** Messages of a call one at a time. */
export interface Pace {
  readonly interceptor: Interceptor;
  /** The last message has been dealt with: the next may come. */
  next(): void;
}

/**
 * The library reads sixteen messages ahead, which can be 64 MiB each. Here the next is asked for when the last one has been
 * dealt with, and until then flow control holds its sender.
 */
export function createPace(): Pace {
  let paced: PacedCall | undefined;
  return {
    interceptor: (options, nextCall) => {
      paced = new PacedCall(nextCall(options));
      return paced;
    },
    next: () => paced?.next(),
  };
}

class PacedCall extends InterceptingCall {
  #mayRead = true;
  #isAsked = false;

  override startRead(): void {
    this.#isAsked = true;
    this.#read();
  }

  next(): void {
    this.#mayRead = true;
    this.#read();
  }

  #read(): void {
    if (!this.#mayRead || !this.#isAsked) return;
    this.#mayRead = false;
    this.#isAsked = false;
    super.startRead();
  }
}
