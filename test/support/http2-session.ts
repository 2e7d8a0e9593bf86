import { setImmediate as turn } from 'node:timers/promises';
import { createGrpcRequests } from '../../src/transport/grpc/grpc-requests.ts';
import type { GrpcHandler, StreamHandler, UnaryCall } from '../../src/transport/handler.ts';
import { Http2Session, type SessionOptions } from '../../src/transport/http2/session.ts';
import { OctetWriter } from '../../src/transport/octet-writer.ts';
import type { TransportLimits } from '../../src/transport/transport-limits.ts';
import { errorName, fieldsOf, frameInWords } from './frame-in-words.ts';
import {
  block,
  callFields,
  type Frame,
  flags,
  frame,
  grpcMessage,
  preface,
  readFrames,
  settings,
  settingsAck,
} from './http2-frames.ts';
import { transportLimits } from './transport-limits.ts';

/** The methods that a test session has. `watch` has a stream for its answer, `chat` also for its request. */
export const paths = {
  unary: '/test.Service/Unary',
  watch: '/test.Service/Watch',
  chat: '/test.Service/Chat',
} as const;

export interface TestSessionOptions {
  readonly limits?: Partial<TransportLimits>;
  /** What the client says in its SETTINGS. */
  readonly settings?: readonly (readonly [id: number, value: number])[];
  /** Preface, SETTINGS and the ack of ours: yes unless told otherwise. */
  readonly greet?: boolean;
  /** What becomes of unary calls; without it they wait. */
  readonly answer?: (call: UnaryCall, message: Buffer) => void;
  readonly watch?: StreamHandler['handle'];
  readonly chat?: StreamHandler['handle'];
  /** Instead of gRPC. */
  readonly onRequest?: SessionOptions['onRequest'];
}

/** A unary call that reached its handler. */
export interface ReceivedCall {
  readonly message: string;
  readonly call: UnaryCall;
}

/** What came back for a call. */
export interface TestResponse {
  /** Fields of the first header block. */
  readonly head: Readonly<Record<string, string>>;
  /** Fields of the last header block: the first too, where there is only one. */
  readonly last: Readonly<Record<string, string>>;
  readonly messages: readonly string[];
  /** All of DATA. */
  readonly body: string;
  readonly hasEnded: boolean;
  /** The error code of RST_STREAM. */
  readonly reset: string | undefined;
}

/** Read once: many tests make sessions by the thousand. */
const defaultLimits = transportLimits();

/** A session without a socket: octets in, frames out, and a time that is set. */
export class TestSession {
  readonly session: Http2Session;
  /** All frames that were written and asked for. */
  readonly frames: Frame[] = [];
  /** Connection and call faults, in order: `rapid-reset`, `refused`. */
  readonly faults: string[] = [];
  readonly calls: ReceivedCall[] = [];
  now = 1_000_000;
  readonly #out = new OctetWriter();
  #isAnnounced = true;

  constructor(options: TestSessionOptions = {}) {
    this.session = new Http2Session({
      limits: { ...defaultLimits, ...options.limits },
      out: this.#out,
      now: this.now,
      onRequest: options.onRequest ?? createGrpcRequests(this.#handlers(options)),
      onOutput: () => {
        this.#isAnnounced = true;
      },
      onEvent: (event) => {
        if ('fault' in event) this.faults.push(event.fault);
      },
    });
    if (options.greet === false) return;
    this.feed(preface, settings(...(options.settings ?? [])), settingsAck);
  }

  /** The client sends octets. @returns the frames that this made, in words */
  feed(...octets: readonly Uint8Array[]): string[] {
    this.session.feed(Buffer.concat(octets), this.now);
    // Who feeds a session looks at what is to be sent afterwards.
    this.#isAnnounced = true;
    return this.written();
  }

  /** Time goes on, and the session's streams are told. @returns the frames that this made, in words */
  tick(ms: number): string[] {
    this.now += ms;
    this.session.now = this.now;
    for (const stream of [...this.session.streams.all()]) stream.reader.tick(this.now);
    return this.written();
  }

  /** Lets handlers go on that wait for nothing but their turns. @returns the frames that this made, in words */
  async settled(turns = 4): Promise<string[]> {
    for (let i = 0; i < turns; i++) await turn();
    return this.written();
  }

  /** The frames since it was asked last, in words. */
  written(): string[] {
    const octets = this.writtenOctets();
    const { frames, length } = readFrames(octets);
    if (length !== octets.length) throw new Error('half a frame was written');
    this.frames.push(...frames);
    return frames.map(frameInWords);
  }

  /** The octets since it was asked last. */
  writtenOctets(): Buffer {
    if (this.#out.at > 0 && !this.#isAnnounced) throw new Error('octets were written, and nobody was told');
    this.#isAnnounced = false;
    const octets = Buffer.from(this.#out.octets.subarray(0, this.#out.at));
    this.#out.at = 0;
    return octets;
  }

  response(id: number): TestResponse {
    const frames = this.frames.filter(({ stream }) => stream === id);
    const blocks = frames.filter(({ type }) => type === 'HEADERS').map(({ payload }) => fieldsOf(payload));
    const body = Buffer.concat(frames.filter(({ type }) => type === 'DATA').map(({ payload }) => payload));
    const reset = frames.find(({ type }) => type === 'RST_STREAM');
    return {
      head: blocks[0] ?? {},
      last: blocks.at(-1) ?? {},
      messages: messagesOf(body),
      body: body.toString('latin1'),
      hasEnded: frames.some(
        (each) => /^(HEADERS|DATA)$/.test(each.type) && (each.flags & flags.END_STREAM) !== 0,
      ),
      reset: reset === undefined ? undefined : errorName(reset.payload.readUInt32BE()),
    };
  }

  /** The last message that reached a handler. */
  get lastCall(): ReceivedCall {
    const last = this.calls.at(-1);
    if (last === undefined) throw new Error('no call has come');
    return last;
  }

  #handlers(options: TestSessionOptions): ReadonlyMap<string, GrpcHandler> {
    const unary: GrpcHandler = {
      path: paths.unary,
      requestStream: false,
      responseStream: false,
      handle: (message, call) => {
        this.calls.push({ message: message.toString('latin1'), call });
        options.answer?.(call, message);
      },
    };
    const watch = { path: paths.watch, requestStream: false, handle: options.watch ?? waiting };
    const chat = { path: paths.chat, requestStream: true, handle: options.chat ?? waiting };
    const streams = [watch, chat].map((each) => ({ ...each, responseStream: true }) as const);
    return new Map([unary, ...streams].map((handler) => [handler.path, handler]));
  }
}

/** Takes no message, and answers nothing until its caller has gone. */
const waiting: StreamHandler['handle'] = async function* (_messages, call) {
  await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
  yield* [];
};

/** Answers with what was asked. */
export function echo(call: UnaryCall, message: Buffer): void {
  reply(call, message.toString('latin1'));
}

export function reply(call: UnaryCall, text: string): void {
  call.reply(Buffer.from(text, 'latin1'), (octets, out) => out.bytes(octets));
}

export interface CallParts {
  readonly path?: string;
  /** Fields behind the usual ones. */
  readonly more?: readonly (readonly [string, string])[];
  /** Instead of the usual ones. */
  readonly fields?: readonly (readonly [string, string])[];
  readonly endStream?: boolean;
}

/** HEADERS of a call. */
export function headers(id: number, { path = paths.unary, more, fields, endStream }: CallParts = {}): Buffer {
  const flagBits = flags.END_HEADERS | (endStream === true ? flags.END_STREAM : 0);
  return frame('HEADERS', flagBits, id, block(fields ?? callFields(path, more)));
}

export function data(id: number, octets: Uint8Array, endStream = false): Buffer {
  return frame('DATA', endStream ? flags.END_STREAM : 0, id, octets);
}

/** DATA with a message. */
export function message(id: number, text: string, endStream = false): Buffer {
  return data(id, grpcMessage(Buffer.from(text, 'latin1')), endStream);
}

/** A call as most clients send it: HEADERS, then DATA with END_STREAM. */
export function wholeCall(id: number, text = 'x', parts: CallParts = {}): Buffer {
  return Buffer.concat([headers(id, parts), message(id, text, true)]);
}

function messagesOf(body: Buffer): string[] {
  const messages: string[] = [];
  for (let at = 0; body.length - at >= 5; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    if (end > body.length) break;
    messages.push(body.toString('latin1', at + 5, end));
    at = end;
  }
  return messages;
}
