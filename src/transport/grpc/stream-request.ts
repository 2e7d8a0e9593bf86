import { type GrpcStatus, grpcStatus, isGrpcStatus } from '../grpc-status.ts';
import type { GrpcCall, StreamHandler } from '../handler.ts';
import type { Http2Session } from '../http2/session.ts';
import type { Http2Stream, StreamReader } from '../http2/stream.ts';
import type { OctetWriter } from '../octet-writer.ts';
import { Unfinished } from '../unfinished.ts';
import { deadlineExceeded, GrpcStream, tooSlow } from './grpc-stream.ts';
import type { MessageFault } from './message-decoding.ts';
import { RequestMessages } from './request-messages.ts';
import type { SharedParts } from './shared-parts.ts';

export interface StreamRequestOptions {
  readonly handler: StreamHandler;
  readonly deadline: number | undefined;
  readonly encoding: string;
  readonly shared: SharedParts;
}

const stopped = grpcStatus('UNAVAILABLE', 'the server is stopping');

const noRoom: MessageFault = Object.freeze({
  fault: 'window-exhausted',
  status: grpcStatus('RESOURCE_EXHAUSTED', 'the call sends more than is taken'),
});

/** A call whose answer is a stream, and maybe its request too. It takes as much as its handler does, and no more. */
export class StreamRequest extends GrpcStream implements StreamReader, GrpcCall {
  readonly deadline: number | undefined;
  readonly #messages: RequestMessages;
  readonly #handler: StreamHandler;
  readonly #shared: SharedParts;
  readonly #abort = new AbortController();
  #resume: (() => void) | undefined;
  readonly #begun = new Unfinished();

  constructor(session: Http2Session, stream: Http2Stream, options: StreamRequestOptions) {
    super(session, stream);
    const { handler, deadline, encoding, shared } = options;
    this.deadline = deadline;
    this.#handler = handler;
    this.#shared = shared;
    this.#messages = new RequestMessages({
      encoding,
      maxBytes: session.limits.maxMessageBytes,
      onlyOne: !handler.requestStream,
      decompressions: shared.decompressions,
      turns: shared.turns,
      onTaken: () => this.#taken(),
      onDone: (octets) => this.#done(octets),
      onFault: (fault) => this.refuse(fault),
    });
    stream.isWorking = true;
    // The handler begins when the stream has its reader.
    queueMicrotask(() => void this.#run());
  }

  get provenNames(): readonly string[] {
    return this.#shared.provenNames;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  data(octets: Buffer, start: number, end: number, ended: boolean): void {
    this.#messages.add(octets, start, end);
    if (ended) this.#messages.end();
    // While the handler has something to do, the client is not asked for more.
    else if (!this.#messages.isWaiting && !this.hasEnded) this.session.receiveWindow.extend(this.stream);
  }

  end(): void {
    this.#messages.end();
  }

  closed(): void {
    this.#abort.abort();
    this.#messages.close();
    this.sent();
  }

  sent(): void {
    this.#resume?.();
    this.#resume = undefined;
    this.#shared.turns.resume();
  }

  windowExhausted(): void {
    this.refuse(noRoom);
  }

  tick(now: number): void {
    if (this.deadline !== undefined && now >= this.deadline) this.refuse(deadlineExceeded);
    else if (this.#handler.requestStream) this.#refuseIfMessageIsSlow(now);
    else this.refuseIfSlow(now);
  }

  stopping(): void {
    this.finish(stopped);
  }

  override finish(status?: GrpcStatus): void {
    super.finish(status);
    // Trailers may still wait behind messages, but nobody adds to them.
    this.closed();
  }

  async #run(): Promise<void> {
    try {
      for await (const item of this.#handler.handle(this.#messages.all(), this)) {
        if (isGrpcStatus(item)) this.finish(item);
        else if (!this.message(item, putOctets) || this.session.isCongested) await this.#sent();
        if (this.hasEnded) break;
      }
      this.finish();
    } catch {
      // Handlers do not throw; should one, there is no status to tell.
      this.abandon();
    }
    this.session.streams.workEnded(this.stream);
  }

  /** A stream of requests may pause between messages, not in the midst of one. */
  #refuseIfMessageIsSlow(now: number): void {
    const waited = this.#begun.lookAt(this.#messages.begun, now);
    if (waited > this.session.limits.receiveTimeoutMs) this.refuse(tooSlow);
  }

  #taken(): void {
    if (this.stream.isClosed) return;
    this.session.receiveWindow.extend(this.stream);
    this.session.wrote();
  }

  /** A handler may keep what it was given until it asks for the next. */
  #done(octets: number): void {
    if (this.stream.isClosed) return;
    this.session.receiveWindow.release(this.stream, octets);
    this.session.wrote();
  }

  #sent(): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}

function putOctets(octets: Uint8Array, out: OctetWriter): void {
  out.bytes(octets);
}
