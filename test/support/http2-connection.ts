import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { Connection } from '../../src/transport/connection.ts';
import { FlushQueue } from '../../src/transport/flush-queue.ts';
import { createGrpcRequests } from '../../src/transport/grpc/grpc-requests.ts';
import type { GrpcHandler, StreamHandler, UnaryCall } from '../../src/transport/handler.ts';
import { ReadTurns } from '../../src/transport/read-turns.ts';
import type { TransportLimits } from '../../src/transport/transport-limits.ts';
import { frameInWords } from './frame-in-words.ts';
import { preface, readFrames, settings, settingsAck } from './http2-frames.ts';
import { paths } from './http2-session.ts';
import { transportLimits } from './transport-limits.ts';

/** A socket without a network. What is written is taken at once, or only when it is told to. */
class FakeSocket extends Duplex {
  /** What the client has taken, write by write. */
  readonly writes: Buffer[] = [];
  #isRead = true;
  #takenBytes = 0;
  #take = () => {};

  constructor() {
    super({ allowHalfOpen: false });
  }

  /** As of `net.Socket`: with what waits. */
  get bytesWritten(): number {
    return this.#takenBytes + this.writableLength;
  }

  get octets(): Buffer {
    return Buffer.concat(this.writes);
  }

  /** The client reads nothing any more, or goes on. */
  set isRead(isRead: boolean) {
    this.#isRead = isRead;
    if (isRead) this.takeOne();
  }

  /** The client takes one of the writes that wait for it. */
  takeOne(): void {
    const take = this.#take;
    this.#take = () => {};
    take();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    const take = () => {
      // The writer may use its octets again from here on, and not before.
      this.writes.push(Buffer.from(chunk));
      this.#takenBytes += chunk.length;
      callback();
    };
    if (this.#isRead) take();
    else this.#take = take;
  }
}

/** What a client says first. */
export const hello = Buffer.concat([preface, settings(), settingsAck]);

export interface TestConnectionOptions {
  readonly limits?: Partial<TransportLimits>;
  readonly maxAgeMs?: number;
  readonly maxAgeGraceMs?: number;
  /** Sends {@link hello}: yes unless told otherwise. */
  readonly greet?: boolean;
  readonly answer?: (call: UnaryCall) => void;
  readonly watch?: StreamHandler['handle'];
  readonly readTurns?: ReadTurns;
}

/** A connection on a socket without a network. Its timers, and the time that it is told, only go on when they are told. */
export class TestConnection {
  readonly socket = new FakeSocket();
  readonly connection: Connection;
  readonly faults: string[] = [];
  readonly calls: UnaryCall[] = [];
  /** How often it told that it is closed. */
  closed = 0;
  #now = 1_000;
  #told = 0;

  constructor(options: TestConnectionOptions = {}) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const handlers: GrpcHandler[] = [
      {
        path: paths.unary,
        requestStream: false,
        responseStream: false,
        handle: (_message, call) => {
          this.calls.push(call);
          options.answer?.(call);
        },
      },
      { path: paths.watch, requestStream: false, responseStream: true, handle: options.watch ?? waiting },
    ];
    this.connection = new Connection(this.socket as unknown as Socket, {
      limits: transportLimits(options.limits),
      now: () => this.#now,
      onRequest: createGrpcRequests(new Map(handlers.map((handler) => [handler.path, handler]))),
      onEvent: (event) => {
        if ('fault' in event) this.faults.push(event.fault);
      },
      flushQueue: new FlushQueue(),
      readTurns: options.readTurns ?? new ReadTurns(),
      maxAgeMs: options.maxAgeMs ?? 0,
      maxAgeGraceMs: options.maxAgeGraceMs ?? 0,
      onClosed: () => {
        this.closed += 1;
      },
    });
    if (options.greet !== false) this.socket.emit('data', hello);
  }

  /** The client sends octets, which come in one packet. @returns what is written since it was asked last, in words */
  send(...octets: readonly Uint8Array[]): Promise<string[]> {
    this.socket.emit('data', Buffer.concat(octets));
    return this.words();
  }

  /** Time goes on while nothing else does, as during work. */
  elapse(ms: number): void {
    this.#now += ms;
  }

  /** Time goes on, and the connection looks at it, as it does once a second. */
  tick(ms: number): Promise<string[]> {
    this.#now += ms;
    this.connection.tick(this.#now);
    return this.words();
  }

  /** Timers go on. */
  wait(ms: number): Promise<string[]> {
    vi.advanceTimersByTime(ms);
    return this.words();
  }

  /** The frames since it was asked last. */
  async words(): Promise<string[]> {
    for (let i = 0; i < 4; i++) await turn();
    const { frames } = readFrames(this.socket.octets);
    const words = frames.slice(this.#told).map(frameInWords);
    this.#told = frames.length;
    return words;
  }
}

const waiting: StreamHandler['handle'] = async function* (_messages, call) {
  await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
  yield* [];
};
