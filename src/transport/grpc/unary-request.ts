import type { GrpcStatus } from '../grpc-status.ts';
import type { UnaryCall, UnaryHandler } from '../handler.ts';
import type { Http2Session } from '../http2/session.ts';
import type { Http2Stream, StreamReader } from '../http2/stream.ts';
import type { OctetWriter } from '../octet-writer.ts';
import { messagePrefixBytes } from '../transport-limits.ts';
import { deadlineExceeded, GrpcStream } from './grpc-stream.ts';
import { noRoom } from './message-decoding.ts';
import { RequestMessages } from './request-messages.ts';
import type { SharedParts } from './shared-parts.ts';

export interface UnaryRequestOptions {
  readonly handler: UnaryHandler;
  readonly deadline: number | undefined;
  readonly encoding: string;
  /** See {@link UnaryCall.fields}. */
  readonly fields: ReadonlyMap<string, string> | undefined;
  readonly shared: SharedParts;
}

const noFields: ReadonlyMap<string, string> = new Map();

/** A call with one message and one answer, from its first octet to its last. */
export class UnaryRequest extends GrpcStream implements StreamReader, UnaryCall {
  readonly deadline: number | undefined;
  readonly #options: UnaryRequestOptions;
  #messages: RequestMessages | undefined;
  #isHandled = false;
  #abort: AbortController | undefined;

  constructor(session: Http2Session, stream: Http2Stream, options: UnaryRequestOptions) {
    super(session, stream);
    this.deadline = options.deadline;
    this.#options = options;
  }

  get provenNames(): readonly string[] {
    return this.#options.shared.provenNames;
  }

  get fields(): ReadonlyMap<string, string> {
    return this.#options.fields ?? noFields;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.hasEnded) this.#abort.abort();
    return this.#abort.signal;
  }

  data(octets: Buffer, start: number, end: number, ended: boolean): void {
    // Nearly every call: one frame with all of it. The message is read where it lies.
    if (ended && this.#messages === undefined && this.#isWhole(octets, start, end)) {
      this.#handle(octets.subarray(start + messagePrefixBytes, end));
      this.session.receiveWindow.release(this.stream, this.stream.unreleased);
      return;
    }
    this.#pieces().add(octets, start, end);
    if (ended) this.end();
    else if (!this.hasEnded) this.session.receiveWindow.extend(this.stream);
  }

  /** Only now is the message the call's: another could have followed it. */
  end(): void {
    const messages = this.#pieces();
    messages.end();
    if (messages.isWaiting) void this.#handlePieces(messages);
  }

  reply<T>(value: T, write: (value: T, out: OctetWriter) => void): void {
    this.message(value, write);
    this.session.streams.workEnded(this.stream);
    this.finish();
  }

  fail(status: GrpcStatus): void {
    this.session.streams.workEnded(this.stream);
    this.finish(status);
  }

  closed(): void {
    this.#abort?.abort();
    this.#messages?.close();
  }

  sent(): void {
    this.#options.shared.turns.resume();
  }

  windowExhausted(): void {
    if (!this.#isHandled) this.refuse(noRoom);
  }

  /** A unary call has no timer of its own: whoever waits for it has one. This is for what nobody ends otherwise. */
  tick(now: number): void {
    if (this.deadline === undefined || now < this.deadline) this.refuseIfSlow(now);
    else {
      this.refuse(deadlineExceeded);
      this.#abort?.abort();
    }
  }

  stopping(): void {}

  #isWhole(octets: Buffer, start: number, end: number): boolean {
    const length = end - start - messagePrefixBytes;
    if (length < 0 || length > this.session.limits.maxMessageBytes || octets[start] !== 0) return false;
    return octets.readUInt32BE(start + 1) === length;
  }

  #pieces(): RequestMessages {
    this.#messages ??= new RequestMessages({
      encoding: this.#options.encoding,
      maxBytes: this.session.limits.maxMessageBytes,
      onlyOne: true,
      decompressions: this.#options.shared.decompressions,
      turns: this.#options.shared.turns,
      onTaken: () => this.#taken(),
      onFault: (fault) => this.refuse(fault),
    });
    return this.#messages;
  }

  #taken(): void {
    if (this.stream.isClosed) return;
    this.session.receiveWindow.release(this.stream, this.stream.unreleased);
    this.session.wrote();
  }

  async #handlePieces(messages: RequestMessages): Promise<void> {
    // A compressed message is read beside the loop: its place is taken meanwhile.
    this.stream.isWorking = true;
    for await (const message of messages.all()) this.#handle(message);
    if (!this.#isHandled) this.session.streams.workEnded(this.stream);
  }

  #handle(message: Buffer): void {
    if (this.hasEnded) return;
    // No work for a caller who has given up.
    if (this.deadline !== undefined && this.session.now >= this.deadline) {
      this.refuse(deadlineExceeded);
      return;
    }
    this.#isHandled = true;
    this.stream.isWorking = true;
    this.#options.handler.handle(message, this);
  }
}
