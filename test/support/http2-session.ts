import { setImmediate as turn } from 'node:timers/promises';
import { createGrpcRequests } from '../../src/transport/grpc/grpc-requests.ts';
import type { GrpcHandler, StreamHandler, UnaryCall } from '../../src/transport/handler.ts';
import { staticTable } from '../../src/transport/hpack/static-table.ts';
import { Http2Session, type SessionOptions } from '../../src/transport/http2/session.ts';
import { OctetWriter } from '../../src/transport/octet-writer.ts';
import type { TransportLimits } from '../../src/transport/transport-limits.ts';
import {
  block,
  callFields,
  errorCodes,
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

function errorName(code: number): string {
  return errorCodes[code] ?? `error ${code}`;
}

/** One line for a frame that a server sends: `RST_STREAM 1 CANCEL`, `DATA 1 8 octets, end`. */
export function frameInWords({ type, flags: bits, stream, payload }: Frame): string {
  const end = (bits & flags.END_STREAM) !== 0 ? ', end' : '';
  const ack = (bits & flags.ACK) !== 0 ? ' ack' : '';
  switch (type) {
    case 'SETTINGS':
      return `SETTINGS${ack}${settingsInWords(payload)}`;
    case 'PING':
      return `PING${ack} ${payload.toString('latin1')}`;
    case 'GOAWAY': {
      const debug = payload.toString('latin1', 8);
      return `GOAWAY ${payload.readUInt32BE()} ${errorName(payload.readUInt32BE(4))} ${debug}`.trimEnd();
    }
    case 'RST_STREAM':
      return `RST_STREAM ${stream} ${errorName(payload.readUInt32BE())}`;
    case 'WINDOW_UPDATE':
      return `WINDOW_UPDATE ${stream} +${payload.readUInt32BE()}`;
    case 'DATA':
      return `DATA ${stream} ${payload.length} octets${end}`;
    case 'HEADERS': {
      const fields = Object.entries(fieldsOf(payload)).map(([name, value]) => `${name}=${value}`);
      return `HEADERS ${stream} ${fields.join(' ')}${end}`;
    }
    default:
      return `${type} ${stream}`;
  }
}

function settingsInWords(payload: Buffer): string {
  let words = '';
  for (let at = 0; at < payload.length; at += 6) {
    words += ` ${payload.readUInt16BE(at)}=${payload.readUInt32BE(at + 2)}`;
  }
  return words;
}

/**
 * The fields of a response's header block, which must need no state: indices of the static table, and literals that are
 * neither indexed nor compressed. A table size update at the start is shown as `table-size`.
 */
function fieldsOf(octets: Buffer): Record<string, string> {
  const fields: Record<string, string> = {};
  let at = 0;
  const integer = (mask: number): number => {
    let value = (octets[at++] as number) & mask;
    if (value < mask) return value;
    for (let shift = 0; ; shift += 7) {
      const octet = octets[at++] as number;
      value += (octet & 0x7f) << shift;
      if (octet < 0x80) return value;
    }
  };
  const nameAt = (index: number): readonly [string, string] => {
    const field = staticTable[index - 1];
    if (field === undefined) throw new Error(`a response refers to entry ${index}`);
    return field;
  };
  const text = (): string => {
    if ((octets[at] as number) >= 0x80) throw new Error('a response has Huffman code');
    const length = integer(0x7f);
    at += length;
    return octets.toString('latin1', at - length, at);
  };
  while (at < octets.length) {
    const form = octets[at] as number;
    if (form >= 0x80) {
      const [name, value] = nameAt(integer(0x7f));
      fields[name] = value;
    } else if (form < 0x20) {
      const index = integer(0x0f);
      const name = index === 0 ? text() : nameAt(index)[0];
      fields[name] = text();
    } else if (form < 0x40 && at === 0) fields['table-size'] = String(integer(0x1f));
    else throw new Error('a response changes the table');
  }
  return fields;
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
