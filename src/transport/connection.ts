import type { Socket } from 'node:net';
import { ClientReads } from './client-reads.ts';
import type { FlushQueue } from './flush-queue.ts';
import { connectionError, excess } from './http2/connection-error.ts';
import { errorCode } from './http2/frame.ts';
import { Http2Session, type SessionOptions } from './http2/session.ts';
import { OctetWriter } from './octet-writer.ts';
import type { ReadTurns } from './read-turns.ts';
import type { TransportListener } from './transport-event.ts';
import type { TransportLimits } from './transport-limits.ts';
import { Unfinished } from './unfinished.ts';

export interface ConnectionOptions {
  readonly limits: TransportLimits;
  /** Monotonic, in ms. */
  readonly now: () => number;
  readonly onRequest: SessionOptions['onRequest'];
  readonly onEvent: TransportListener;
  readonly flushQueue: FlushQueue;
  readonly readTurns: ReadTurns;
  /** See {@link Http2Session.drain}; 0: never. */
  readonly maxAgeMs: number;
  /** What calls have after that; 0: all the time they need. */
  readonly maxAgeGraceMs: number;
  readonly onClosed: (connection: Connection) => void;
  /** See {@link SessionOptions.keptFields}. */
  readonly keptFields?: ReadonlySet<string> | undefined;
}

/** Clients that speak first get SETTINGS with the answer to that; the others, which wait for them, after this time. */
const greetAfterMs = 50;
/** For the PING of a drain to come back. */
const lastCallsAfterMs = 1_000;
/** Of the buffer that a connection writes into, between writes. */
const maxKeptBytes = 65_536;
/** For the client to close its side, when everything was said. */
const closeAfterMs = 1_000;

const handshakeTimeout = connectionError(errorCode.SETTINGS_TIMEOUT, 'handshake-timeout');
const slowFrame = excess('slow-frame');
const stalled = excess('stalled');

/** A session on its socket: reads, writes once in a turn, and minds the time. */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #session: Http2Session;
  readonly #out = new OctetWriter(0);
  readonly #reads: ClientReads;
  readonly #openedAt: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isFlushDue = false;
  #isWriting = false;
  #isEnding = false;
  /** A frame or a header block that comes. */
  readonly #unended = new Unfinished();
  #lastCallAt: number;
  /** The newest call when it was last looked at: most begin and end in between. */
  #lastCallId = 0;
  /** Octets that the client had taken, and when that was last seen to change. */
  #taken = 0;
  #progressAt: number;

  constructor(socket: Socket, options: ConnectionOptions) {
    const now = options.now();
    this.#socket = socket;
    this.#options = options;
    this.#openedAt = now;
    this.#lastCallAt = now;
    this.#progressAt = now;
    this.#session = new Http2Session({
      limits: options.limits,
      out: this.#out,
      now,
      onRequest: options.onRequest,
      onOutput: () => this.#wrote(),
      onEvent: options.onEvent,
      keptFields: options.keptFields,
    });
    this.#reads = new ClientReads({
      now: options.now,
      readTurns: options.readTurns,
      feed: (chunk, start, time, arrivedAt) => this.#session.feedSome(chunk, start, time, arrivedAt),
    });
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.#session.end());
    socket.on('close', () => this.#closed());
    // When the loop was late, what the client said first may wait in the socket: it is read before.
    this.#after(greetAfterMs, () => setImmediate(() => this.#session.greet()));
    if (options.maxAgeMs > 0) this.#after(jittered(options.maxAgeMs), () => this.#retire());
  }

  /** Writes what has become ready, once all before it is on its way. */
  flush(): void {
    this.#isFlushDue = false;
    const { octets, at } = this.#out;
    if (!this.#socket.writable) this.#out.at = 0;
    else if (at > 0 && !this.#isWriting) {
      this.#isWriting = true;
      this.#socket.write(octets.subarray(0, at), this.#onWritten);
      // Octets that the system has taken already may be written over; the others are the socket's. What was needed once
      // is not kept for ever.
      if (this.#socket.writableLength === 0 && octets.length <= maxKeptBytes) this.#out.at = 0;
      else this.#out.letGo();
    }
    this.#hold();
    if (this.#out.at === 0) this.#endIfDone();
  }

  /** One write at a time: for a client that does not read, each would keep a buffer for a few octets. */
  readonly #onWritten = (): void => {
    this.#isWriting = false;
    if (this.#out.at > 0) this.#wrote();
    else this.#hold();
  };

  /** Takes no more calls, and ends when those that are open have ended. Streams that would never end are ended. */
  drain(): void {
    if (!this.#session.isEstablished) this.#session.end();
    else this.#lastOrders();
    for (const stream of this.#session.streams.all()) stream.reader.stopping();
  }

  /** Looks at all that must not take too long. */
  tick(now: number): void {
    const { limits } = this.#options;
    const session = this.#session;
    session.now = now;
    for (const stream of session.streams.all()) stream.reader.tick(now);
    this.#tickProgress(now);
    // A frame that is late because nothing is read is not late.
    const isRead = !session.isCongested && !this.#reads.isWaiting;
    const unendedFor = this.#unended.lookAt(isRead ? session.unended : undefined, now);
    const { size, lastTakenId } = session.streams;
    if (size > 0 || lastTakenId !== this.#lastCallId) this.#lastCallAt = now;
    this.#lastCallId = lastTakenId;
    if (!session.isEstablished && now - this.#openedAt > limits.handshakeTimeoutMs) {
      session.fail(handshakeTimeout);
    } else if (unendedFor > limits.receiveTimeoutMs) session.fail(slowFrame);
    else if (limits.idleTimeoutMs > 0 && now - this.#lastCallAt > limits.idleTimeoutMs) {
      this.#lastOrders();
    }
  }

  /** Goes on with what had to wait. */
  readOn(): void {
    this.#reads.goOn();
    if (this.#reads.isWaiting) this.#options.readTurns.wait(this);
    else if (!this.#session.isCongested) this.#socket.resume();
    this.#dealtWith();
  }

  #read(chunk: Buffer): void {
    const wasWaiting = this.#reads.isWaiting;
    this.#reads.add(chunk);
    if (this.#reads.isWaiting) this.#socket.pause();
    if (this.#reads.isWaiting && !wasWaiting) this.#options.readTurns.wait(this);
    this.#dealtWith();
  }

  #dealtWith(): void {
    // A client that leaves may have ended the last call without a word of ours.
    if (this.#out.at > 0 || this.#session.isClosing) this.#wrote();
    this.#hold();
  }

  #wrote(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    this.#options.flushQueue.add(this);
  }

  /** Backpressure: a client that does not read what it is sent is not read either. */
  #hold(): void {
    const unsent = this.#socket.writableLength + this.#out.at;
    if (unsent > this.#options.limits.maxUnsentBytes) {
      this.#session.isCongested = true;
      this.#socket.pause();
    } else this.#relieve();
  }

  /** Whoever waited goes on. */
  #relieve(): void {
    if (!this.#session.isCongested) return;
    this.#session.isCongested = false;
    if (!this.#reads.isWaiting) this.#socket.resume();
    for (const stream of this.#session.streams.all()) stream.reader.sent();
  }

  /** A client that takes nothing is given up: what waits for it, here or behind its windows, would wait for ever. */
  #tickProgress(now: number): void {
    const { writableLength, bytesWritten } = this.#socket;
    const { heldBytes, sentBytes } = this.#session.outbound;
    // What waits behind windows only gets on as DATA: acks of PING frames are no progress.
    const taken = writableLength > 0 ? bytesWritten - writableLength : sentBytes;
    const isWaiting = writableLength > 0 || heldBytes > 0;
    if (!isWaiting || taken !== this.#taken) this.#progressAt = now;
    this.#taken = taken;
    if (now - this.#progressAt <= this.#options.limits.stallTimeoutMs) return;
    this.#session.fail(stalled);
    if (this.#socket.writableLength > 0) this.#socket.destroy();
  }

  /** The age is reached: other replicas are to get a share of what this client asks. */
  #retire(): void {
    this.#lastOrders();
    const { maxAgeGraceMs } = this.#options;
    if (maxAgeGraceMs > 0) this.#after(maxAgeGraceMs, () => this.#session.end());
  }

  #lastOrders(): void {
    if (this.#session.state !== 'open') return;
    this.#session.drain();
    this.#after(lastCallsAfterMs, () => this.#session.lastCalls());
  }

  #endIfDone(): void {
    const { state, streams } = this.#session;
    const isDone = state === 'ended' || (state === 'last-calls' && streams.size === 0);
    if (!isDone || this.#isEnding || this.#socket.destroyed) return;
    this.#isEnding = true;
    // Not `destroy`: the last octets are to arrive, GOAWAY among them. What still comes is read and forgotten.
    this.#socket.end();
    this.#socket.resume();
    this.#after(closeAfterMs, () => this.#socket.destroy());
  }

  #closed(): void {
    this.#session.end();
    this.#reads.clear();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.onClosed(this);
  }

  #after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
      this.#wrote();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }
}

/** 10 % more or less, so that connections that were opened together do not end together. */
function jittered(ms: number): number {
  return ms * (0.9 + 0.2 * Math.random());
}
