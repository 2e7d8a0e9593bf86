import { OctetBacklog } from '../octet-backlog.ts';
import { messagePrefixBytes } from '../transport-limits.ts';
import type { Decompression, Decompressions } from './decompressions.ts';
import { MessageAssembly } from './message-assembly.ts';
import { type MessageFault, noMessage, prefixFault, secondMessage, truncated } from './message-decoding.ts';
import type { Turn, Turns } from './turns.ts';

export interface RequestMessagesOptions {
  /** The call's `grpc-encoding`. */
  readonly encoding: string;
  readonly maxBytes: number;
  /** The request is no stream: there must be one message. */
  readonly onlyOne: boolean;
  /** Of the connection. */
  readonly decompressions: Decompressions;
  /** Of the connection. */
  readonly turns: Turns;
  /** Nothing waits any more, or less than before: a message is in the handler's hands, or it waits for one. */
  readonly onTaken: () => void;
  /** The handler asks for the next one. The message had so many octets. */
  readonly onDone?: (octets: number) => void;
  readonly onFault: (fault: MessageFault) => void;
}

interface Waiting {
  readonly message: Buffer;
  readonly isCompressed: boolean;
}

/**
 * The messages of a request, put together from pieces, for somebody who takes them one after another. One is read ahead;
 * what comes behind it waits as octets.
 */
export class RequestMessages {
  readonly #options: RequestMessagesOptions;
  #assembly = new MessageAssembly();
  #next: Waiting | undefined;
  readonly #backlog = new OctetBacklog();
  #decompression: Decompression | undefined;
  #turn: Turn | undefined;
  #count = 0;
  /** The request has ended. */
  #isWhole = false;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor(options: RequestMessagesOptions) {
    this.#options = options;
  }

  /** Whether there is something that was not taken yet. */
  get isWaiting(): boolean {
    return this.#next !== undefined || this.#backlog.length > 0;
  }

  /** The message that has begun to come and is not complete: the same object for as long as it is. */
  get begun(): object | undefined {
    return this.#assembly.hasBegun ? this.#assembly : undefined;
  }

  add(octets: Buffer, start: number, end: number): void {
    const isSecond = this.#options.onlyOne && this.#count > 0;
    const at = isSecond || this.isWaiting ? start : this.#read(octets, start, end);
    if (at >= end || this.#hasEnded) return;
    if (this.#options.onlyOne) this.#failed(secondMessage);
    else this.#backlog.add(octets, at, end);
  }

  /** The request has ended. */
  end(): void {
    this.#isWhole = true;
    this.#endIfRead();
    this.#wake?.();
  }

  /** No more will come, and what waits is not wanted. */
  close(): void {
    this.#hasEnded = true;
    this.#next = undefined;
    this.#backlog.clear();
    if (this.#decompression !== undefined) this.#options.decompressions.drop(this.#decompression);
    if (this.#turn !== undefined) this.#options.turns.leave(this.#turn);
    this.#wake?.();
  }

  async *all(): AsyncGenerator<Buffer> {
    for (;;) {
      this.#readBacklog();
      if (this.#next !== undefined) {
        this.#turn = this.#options.turns.next(this.#next.message.length);
        if (this.#turn !== undefined) await this.#turn.hasCome;
        if (this.#next !== undefined) yield* this.#take(this.#next);
      } else if (this.#hasEnded) return;
      else {
        // What had waited was the beginning of a message: its client must be let go on to the end of it.
        this.#options.onTaken();
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  async *#take({ message, isCompressed }: Waiting): AsyncGenerator<Buffer> {
    const { onTaken, onDone } = this.#options;
    this.#next = undefined;
    onTaken();
    const plain = isCompressed ? await this.#decompressed(message) : message;
    if (plain === undefined) return;
    try {
      yield plain;
    } finally {
      onDone?.(messagePrefixBytes + message.length);
    }
  }

  /** Reads to the end of one message at most. @returns where it stopped */
  #read(octets: Buffer, start: number, end: number): number {
    const { encoding, maxBytes } = this.#options;
    let at = start;
    while (at < end && this.#next === undefined && !this.#hasEnded) {
      at = this.#assembly.add(octets, at, end);
      const fault = prefixFault(this.#assembly, encoding, maxBytes);
      if (fault !== undefined) this.#failed(fault);
      else if (this.#assembly.isComplete) this.#completed();
    }
    return at;
  }

  #readBacklog(): void {
    if (this.#next === undefined) this.#backlog.take((octets, start, end) => this.#read(octets, start, end));
    this.#endIfRead();
  }

  #completed(): void {
    this.#count += 1;
    this.#next = {
      message: this.#assembly.take(),
      isCompressed: this.#assembly.compressedFlag === 1,
    };
    this.#assembly = new MessageAssembly();
    this.#wake?.();
  }

  #endIfRead(): void {
    // One that is being decompressed is still to be handed over.
    const isInWork = this.isWaiting || this.#decompression !== undefined;
    if (!this.#isWhole || this.#hasEnded || isInWork) return;
    const isMissing = this.#options.onlyOne && this.#count === 0;
    if (this.#assembly.hasBegun) this.#failed(truncated);
    else if (isMissing) this.#failed(noMessage);
    else this.close();
  }

  async #decompressed(message: Buffer): Promise<Buffer | undefined> {
    const { decompressions } = this.#options;
    const { promise, resolve } = Promise.withResolvers<Buffer | MessageFault | undefined>();
    this.#decompression = decompressions.add(message, resolve);
    const result = await promise;
    this.#decompression = undefined;
    if (result === undefined || this.#hasEnded) return undefined;
    if (Buffer.isBuffer(result)) return result;
    this.#failed(result);
    return undefined;
  }

  #failed(fault: MessageFault): void {
    this.close();
    this.#options.onFault(fault);
  }
}
