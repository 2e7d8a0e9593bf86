import { createGrpcRequests } from '../../src/transport/grpc/grpc-requests.ts';
import { type GrpcStatus, grpcStatus } from '../../src/transport/grpc-status.ts';
import type { GrpcCall, GrpcHandler } from '../../src/transport/handler.ts';
import type { RequestHead } from '../../src/transport/http2/request-head.ts';
import type { Http2Session } from '../../src/transport/http2/session.ts';
import type { Http2Stream, StreamReader } from '../../src/transport/http2/stream.ts';
import type { TransportLimits } from '../../src/transport/transport-limits.ts';
import { reply, TestSession } from '../support/http2-session.ts';

/**
 * Replays come all at once, and in a time that stands still: without the pauses of the recording its PING frames would be
 * keep-alive that is too eager. And the reference allowed larger header lists than we do by default.
 */
export const replayLimits: Partial<TransportLimits> = { minPingIntervalMs: 0, maxHeaderListBytes: 65_536 };

/** A session that answers no request, and keeps what it was told of each. */
export class RecordingSession extends TestSession {
  readonly streams: SeenStream[];

  constructor(limits: Partial<TransportLimits>) {
    const streams: SeenStream[] = [];
    super({
      greet: false,
      limits,
      onRequest: (session, stream, head) => {
        const seen = new SeenStream(session, stream, headInWords(head));
        streams.push(seen);
        return seen;
      },
    });
    this.streams = streams;
  }

  replay(chunks: readonly Buffer[]): this {
    for (const chunk of chunks) this.session.feed(chunk, this.now);
    return this;
  }

  /** What it was told, frame by frame, and what it answered. */
  trace(): Trace {
    const pieces = this.streams.flatMap((stream) => stream.pieces);
    return {
      words: this.streams.map(String).join('\n') + this.faults.join(),
      octets: [...pieces, this.writtenOctets()],
    };
  }
}

/** All that became of a replay, in a form that is compared quickly. */
export interface Trace {
  readonly words: string;
  readonly octets: readonly Buffer[];
}

export function isSameTrace(a: Trace, b: Trace): boolean {
  if (a.words !== b.words || a.octets.length !== b.octets.length) return false;
  return a.octets.every((octets, index) => octets.equals(b.octets[index] as Buffer));
}

/** What a stream was understood to be. */
export class SeenStream implements StreamReader {
  readonly stream: Http2Stream;
  readonly head: string;
  readonly pieces: Buffer[] = [];
  /** The client has ended it. */
  hasEnded = false;
  /** It was reset, by the client or by us. */
  isClosed = false;
  readonly #session: Http2Session;

  constructor(session: Http2Session, stream: Http2Stream, head: string) {
    this.#session = session;
    this.stream = stream;
    this.head = head;
  }

  get content(): Buffer {
    return Buffer.concat(this.pieces);
  }

  toString(): string {
    const { stream, head, hasEnded, isClosed } = this;
    return `${stream.id} ${head} ${hasEnded} ${isClosed} ${stream.sendWindow}`;
  }

  data(octets: Buffer, start: number, end: number, ended: boolean): void {
    this.pieces.push(Buffer.from(octets.subarray(start, end)));
    this.hasEnded ||= ended;
    this.#session.receiveWindow.release(this.stream, this.stream.unreleased);
    this.#session.receiveWindow.extend(this.stream);
  }

  end(): void {
    this.hasEnded = true;
  }

  closed(): void {
    this.isClosed = true;
  }

  sent(): void {}
  windowExhausted(): void {}
  tick(): void {}
  stopping(): void {}
}

export function headInWords(head: RequestHead): string {
  const { method, path, contentType, grpcTimeout, grpcEncoding, contentLength } = head;
  return `${method}|${path}|${contentType}|${grpcTimeout}|${grpcEncoding}|${contentLength}`;
}

export const rateLimitPath = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';
export const checkPath = '/grpc.health.v1.Health/Check';
export const watchPath = '/grpc.health.v1.Health/Watch';
export const reflectionPath = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';

/** A call as its handler saw it. */
export interface SeenCall {
  readonly path: string;
  readonly timeoutMs: number | undefined;
  readonly messages: string[];
}

/** A session with the methods of the recordings, which keeps the calls that reached them. */
export class CallSession extends TestSession {
  readonly seenCalls: SeenCall[];

  constructor(limits: Partial<TransportLimits>) {
    const seenCalls: SeenCall[] = [];
    const begin = (path: string, call: GrpcCall): SeenCall => {
      const timeoutMs = call.deadline === undefined ? undefined : call.deadline - startTime;
      const seen = { path, timeoutMs, messages: [] };
      seenCalls.push(seen);
      return seen;
    };
    const handlers = [
      unary(rateLimitPath, begin),
      unary(checkPath, begin),
      streaming(watchPath, false, begin),
      streaming(reflectionPath, true, begin),
    ];
    const byPath = new Map(handlers.map((handler) => [handler.path, handler]));
    super({ greet: false, limits, onRequest: createGrpcRequests(byPath) });
    this.seenCalls = seenCalls;
  }

  async replay(chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      this.feed(chunk);
      // What came in pieces reaches its handler in a later turn.
      if (chunks.length < 1_000) await this.settled(1);
    }
    await this.settled();
  }
}

/** The time of a test session, which stands still. */
const startTime = new TestSession({ greet: false }).now;

type Begin = (path: string, call: GrpcCall) => SeenCall;

function unary(path: string, begin: Begin): GrpcHandler {
  return {
    path,
    requestStream: false,
    responseStream: false,
    handle(message, call) {
      begin(path, call).messages.push(message.toString('latin1'));
      reply(call, 'ok');
    },
  };
}

/** Ends when its request has; where that is one message, not before its caller leaves, as a watch does. */
function streaming(path: string, requestStream: boolean, begin: Begin): GrpcHandler {
  return {
    path,
    requestStream,
    responseStream: true,
    async *handle(messages, call): AsyncGenerator<GrpcStatus> {
      const seen = begin(path, call);
      for await (const message of messages) seen.messages.push(message.toString('latin1'));
      if (!requestStream) await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
      yield grpcStatus('OK', '');
    },
  };
}
