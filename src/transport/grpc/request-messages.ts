import { MessageAssembly, prefixBytes } from './message-assembly.ts';
import {
  decompress,
  type MessageFault,
  noMessage,
  prefixFault,
  secondMessage,
  truncated,
} from './message-decoding.ts';

export interface RequestMessagesOptions {
  /** The call's `grpc-encoding`. */
  readonly encoding: string;
  readonly maxBytes: number;
  /** The request is no stream: there must be one message. */
  readonly onlyOne: boolean;
  /** A message is in the handler's hands: it had so many octets. */
  readonly onTaken: (octets: number) => void;
  readonly onFault: (fault: MessageFault) => void;
}

interface Waiting {
  readonly message: Buffer;
  readonly isCompressed: boolean;
}

/** The messages of a request, put together from pieces, for somebody who takes them one after another. */
export class RequestMessages {
  readonly #options: RequestMessagesOptions;
  readonly #waiting: Waiting[] = [];
  #assembly = new MessageAssembly();
  #count = 0;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor(options: RequestMessagesOptions) {
    this.#options = options;
  }

  /** Whether there is a message that was not taken yet. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  add(octets: Buffer, start: number, end: number): void {
    for (let at = start; at < end && !this.#hasEnded; ) {
      const isSecond = this.#options.onlyOne && this.#count > 0;
      if (!isSecond) at = this.#assembly.add(octets, at, end);
      const { encoding, maxBytes } = this.#options;
      const fault = isSecond ? secondMessage : prefixFault(this.#assembly, encoding, maxBytes);
      if (fault !== undefined) this.#failed(fault);
      else if (this.#assembly.isComplete) this.#completed();
    }
  }

  /** The request has ended. */
  end(): void {
    if (this.#hasEnded) return;
    const isMissing = this.#options.onlyOne && this.#count === 0;
    if (this.#assembly.hasBegun) this.#failed(truncated);
    else if (isMissing) this.#failed(noMessage);
    else this.close();
  }

  /** No more will come. */
  close(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  async *all(): AsyncGenerator<Buffer> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#options.onTaken(prefixBytes + next.message.length);
        const message = next.isCompressed ? await this.#decompressed(next.message) : next.message;
        if (message === undefined) return;
        yield message;
      } else if (this.#hasEnded) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #completed(): void {
    this.#count += 1;
    this.#waiting.push({
      message: this.#assembly.message(),
      isCompressed: this.#assembly.compressedFlag === 1,
    });
    this.#assembly = new MessageAssembly();
    this.#wake?.();
  }

  async #decompressed(message: Buffer): Promise<Buffer | undefined> {
    const result = await decompress(message, this.#options.maxBytes);
    if (Buffer.isBuffer(result)) return result;
    this.#failed(result);
    return undefined;
  }

  #failed(fault: MessageFault): void {
    this.#waiting.length = 0;
    this.close();
    this.#options.onFault(fault);
  }
}
