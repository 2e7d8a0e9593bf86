import type { GrpcStatus } from '../../src/transport/grpc-status.ts';
import type { GrpcCall } from '../../src/transport/handler.ts';
import { headers, TestSession, type TestSessionOptions } from './http2-session.ts';

/** A handler that does what its test says, step by step. */
export class StreamScript {
  readonly asked: string[] = [];
  /** How often the transport asked for the next answer. */
  pulls = 0;
  call: GrpcCall | undefined;
  hasReturned = false;
  readonly #answers: (string | GrpcStatus | 'end')[] = [];
  #wake = () => {};

  /** Takes messages when it is told to: see {@link take}. */
  #takes = 0;
  #wakeTaker = () => {};

  readonly handle = (messages: AsyncIterable<Buffer>, call: GrpcCall) => {
    this.call = call;
    void this.#takeAll(messages);
    return this.#yieldAll();
  };

  /** It answers this next: a message, a status, or `end`. */
  say(...answers: (string | GrpcStatus)[]): void {
    this.#answers.push(...answers);
    this.#wake();
  }

  /** It takes so many more messages. */
  take(count = 1): void {
    this.#takes += count;
    this.#wakeTaker();
  }

  async #takeAll(messages: AsyncIterable<Buffer>): Promise<void> {
    const all = messages[Symbol.asyncIterator]();
    for (;;) {
      while (this.#takes === 0) await new Promise<void>((resolve) => (this.#wakeTaker = resolve));
      this.#takes -= 1;
      const { done, value } = await all.next();
      this.asked.push(done === true ? '(end)' : value.toString('latin1'));
      if (done === true) return;
    }
  }

  async *#yieldAll(): AsyncGenerator<Uint8Array | GrpcStatus> {
    try {
      for (;;) {
        this.pulls += 1;
        while (this.#answers.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        const next = this.#answers.shift() as string | GrpcStatus;
        if (next === 'end') return;
        yield typeof next === 'string' ? Buffer.from(next, 'latin1') : next;
      }
    } finally {
      this.hasReturned = true;
    }
  }
}

/** A call of such a handler, which has begun. */
export async function startStream(
  path: string,
  octets: readonly Buffer[],
  options: TestSessionOptions & { readonly more?: readonly [string, string][] } = {},
): Promise<{ session: TestSession; script: StreamScript }> {
  const script = new StreamScript();
  const session = new TestSession({ watch: script.handle, chat: script.handle, ...options });
  session.feed(headers(1, { path, more: options.more ?? [] }), ...octets);
  await session.settled();
  return { session, script };
}
