import type { OctetWriter } from '../octet-writer.ts';
import type { CallFault, TransportListener } from '../transport-event.ts';
import type { TransportLimits } from '../transport-limits.ts';
import { type ConnectionError, connectionError, frameSizeError, protocolError } from './connection-error.ts';
import { ControlFrames, type ControlledSession, drainPing } from './control-frames.ts';
import { FloodGuard } from './flood-guard.ts';
import { type ErrorCode, errorCode, frameFlag, frameType, maxInt31 } from './frame.ts';
import { type FrameListener, FrameReader } from './frame-reader.ts';
import { writeGoaway, writePing, writeReset, writeSettings } from './frame-writer.ts';
import { Inbound, type InboundSession } from './inbound.ts';
import { Outbound } from './outbound.ts';
import { PeerSettings, settingId } from './peer-settings.ts';
import { http1Answer, Preface } from './preface.ts';
import { ReceiveWindow } from './receive-window.ts';
import type { RequestHead } from './request-head.ts';
import type { Http2Stream, StreamReader } from './stream.ts';
import { StreamTable, streamsBeforeSettings } from './stream-table.ts';

export interface SessionOptions {
  readonly limits: TransportLimits;
  /** Where everything that is to be sent is written. */
  readonly out: OctetWriter;
  readonly now: number;
  /** A request has begun: gives the reader of its stream. */
  readonly onRequest: (session: Http2Session, stream: Http2Stream, head: RequestHead) => StreamReader;
  /** Something was written. */
  readonly onOutput: () => void;
  readonly onEvent: TransportListener;
  readonly keptFields?: ReadonlySet<string> | undefined; // see RequestHead.kept; none unless given
}

/** `draining`: GOAWAY is announced, and calls that are on their way are still taken. `last-calls`: only open ones may end. */
export type SessionState = 'open' | 'draining' | 'last-calls' | 'ended';

const noHttp2 = connectionError(errorCode.PROTOCOL_ERROR, 'no-http2');

/** Stream errors that are no fault of the client's. */
const innocent: ReadonlySet<ErrorCode> = new Set([
  errorCode.NO_ERROR,
  errorCode.INTERNAL_ERROR,
  errorCode.REFUSED_STREAM,
  errorCode.STREAM_CLOSED,
]);

/**
 * The server's side of one HTTP/2 connection (RFC 9113), without its socket: octets in, octets out, and a reader for each
 * request. It keeps no time of its own; whoever feeds it says what time it is.
 */
export class Http2Session implements FrameListener, InboundSession, ControlledSession {
  readonly limits: TransportLimits;
  readonly streams: StreamTable;
  readonly outbound: Outbound;
  readonly receiveWindow: ReceiveWindow;
  readonly guard: FloodGuard;
  readonly #options: SessionOptions;
  readonly #out: OctetWriter;
  readonly #peer = new PeerSettings();
  readonly #frames: FrameReader;
  readonly #inbound: Inbound;
  readonly #control: ControlFrames;
  #preface: Preface | undefined = new Preface();
  #greeted = false;
  state: SessionState = 'open';
  /** More waits to be sent than the client reads: who can wait with more should. */
  isCongested = false;
  now: number;
  /** When what is dealt with now came, as far as that can be told: deadlines run from then. */
  arrivedAt: number;

  constructor(options: SessionOptions) {
    const { limits, out, now } = options;
    this.#options = options;
    this.limits = limits;
    this.now = now;
    this.arrivedAt = now;
    this.#out = out;
    this.streams = new StreamTable(limits.maxConcurrentStreams);
    this.guard = new FloodGuard(limits, now);
    this.outbound = new Outbound(out, this.#peer, limits.maxUnsentBytes, {
      dataSent: () => this.guard.dataSent(),
      localEnded: (stream) => this.#localEnded(stream),
      overflowed: (stream) => this.resetStream(stream.id, errorCode.INTERNAL_ERROR, 'unsent'),
    });
    this.#frames = new FrameReader(this, limits.maxFrameBytes);
    this.receiveWindow = new ReceiveWindow(out, limits.connectionWindowBytes, limits.streamWindowBytes);
    this.#inbound = new Inbound(this, options.keptFields);
    this.#control = new ControlFrames(this, this.#peer, out);
  }

  /** Whether the client has said all that it must before its first request. */
  get isEstablished(): boolean {
    return this.#control.settingsSeen;
  }

  get isReading(): boolean {
    return this.state !== 'ended';
  }

  get isClosing(): boolean {
    return this.state === 'last-calls' || this.state === 'ended';
  }

  get sendWindow(): number {
    return this.#peer.initialWindow;
  }

  /** What has begun and not ended, a header block or a frame: equal as long as it is the same. undefined: nothing. */
  get unended(): number | undefined {
    if (this.#inbound.isMidBlock) return -this.#inbound.blocks;
    return this.#frames.isMidFrame ? this.#frames.cuts : undefined;
  }

  /** MAX_CONCURRENT_STREAMS binds a client only when it knows of it: Envoy opens up to 1024 before. */
  get hasPlace(): boolean {
    const { maxConcurrentStreams } = this.limits;
    const limit = this.#control.settingsAcked
      ? maxConcurrentStreams
      : Math.max(streamsBeforeSettings, maxConcurrentStreams);
    return this.streams.places < limit;
  }

  request(stream: Http2Stream, head: RequestHead): StreamReader {
    return this.#options.onRequest(this, stream, head);
  }

  /** Sends our SETTINGS, without which many clients do not begin. */
  greet(): void {
    if (this.#greeted || this.state === 'ended') return;
    this.#greeted = true;
    const { limits } = this;
    writeSettings(this.#out, [
      [settingId.MAX_CONCURRENT_STREAMS, limits.maxConcurrentStreams],
      [settingId.INITIAL_WINDOW_SIZE, limits.streamWindowBytes],
      [settingId.MAX_FRAME_SIZE, limits.maxFrameBytes],
      [settingId.MAX_HEADER_LIST_SIZE, limits.maxHeaderListBytes],
    ]);
    this.receiveWindow.open();
    this.wrote();
  }

  /**
   * Takes in what the client sent, as much as should be dealt with at once.
   * @param arrivedAt when it came
   * @returns where it stopped; the rest is to be fed again
   */
  feedSome(chunk: Buffer, start: number, now: number, arrivedAt: number): number {
    this.now = now;
    this.arrivedAt = arrivedAt;
    if (this.state === 'ended') return chunk.length;
    if (this.#preface === undefined) return this.#frames.feed(chunk, start);
    return this.#begin(this.#preface, chunk);
  }

  /** Takes in all of it, which came now. */
  feed(chunk: Buffer, now: number): void {
    for (let at = 0; at < chunk.length; ) at = this.feedSome(chunk, at, now, now);
  }

  #begin(preface: Preface, chunk: Buffer): number {
    const state = preface.feed(chunk);
    if (state === 'http1' && !this.#greeted) this.#refuseHttp1();
    else if (state === 'http1' || state === 'unknown') this.fail(noHttp2);
    else if (state !== 'undecided') this.greet();
    if (state !== 'complete') return chunk.length;
    this.#preface = undefined;
    return preface.used;
  }

  frame(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void {
    const error = this.#take(type, flags, id, octets, start, end);
    if (error !== undefined) this.fail(error);
  }

  #take(
    type: number,
    flags: number,
    id: number,
    octets: Buffer,
    start: number,
    end: number,
  ): ConnectionError | undefined {
    // RFC 9113, 3.4: the preface ends with SETTINGS; 6.10: nothing comes between the parts of a header block.
    const isFirst =
      !this.#control.settingsSeen && (type !== frameType.SETTINGS || (flags & frameFlag.ACK) !== 0);
    if (isFirst || (this.#inbound.isMidBlock && type !== frameType.CONTINUATION)) return protocolError;
    switch (type) {
      case frameType.DATA:
        return this.#inbound.data(flags, id, octets, start, end);
      case frameType.HEADERS:
        return this.#inbound.headers(flags, id, octets, start, end);
      case frameType.CONTINUATION:
        return this.#inbound.continuation(flags, id, octets, start, end);
      case frameType.SETTINGS:
        return this.#control.settings(flags, id, octets, start, end);
      case frameType.WINDOW_UPDATE:
        return this.#control.windowUpdate(id, octets, start, end);
      case frameType.RST_STREAM:
        return this.#control.rstStream(id, end - start);
      case frameType.PING:
        return this.#control.ping(flags, id, octets.subarray(start, end));
      case frameType.PRIORITY:
        return this.#control.priority(id, octets, start, end);
      case frameType.GOAWAY:
        return this.#control.goaway(id, end - start);
      case frameType.PUSH_PROMISE:
        return protocolError;
      default:
        // RFC 9113, 4.1: unknown types are ignored.
        return undefined;
    }
  }

  frameTooLarge(): void {
    this.fail(frameSizeError);
  }

  fail(error: ConnectionError): void {
    if (this.state === 'ended') return;
    writeGoaway(this.#out, this.streams.lastTakenId, error.code, error.debug);
    this.#options.onEvent({ kind: 'connection-fault', fault: error.fault });
    this.end();
  }

  /** Lets go of everything. What was written is still to be sent. */
  end(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.receiveWindow.end();
    for (const stream of this.streams.all()) this.closeStream(stream);
    this.wrote();
  }

  /** Resets a stream: RFC 9113, section 5.4.2. What a client is at fault for is counted: CVE-2025-8671. */
  resetStream(id: number, code: ErrorCode, fault: CallFault | undefined): void {
    if (this.state === 'ended') return;
    const stream = this.streams.get(id);
    writeReset(this.#out, id, code);
    this.streams.rememberReset(id);
    if (stream !== undefined) this.closeStream(stream);
    if (fault !== undefined) this.callFault(fault);
    // One that had ended may still get DATA that was on its way; one that is open can't, but from a client at fault.
    const isFault = !innocent.has(code) || (code === errorCode.STREAM_CLOSED && stream !== undefined);
    const flood = isFault ? this.guard.streamError(this.now) : undefined;
    if (flood !== undefined) this.fail(flood);
    this.wrote();
  }

  /** The stream is no more. What it has used of the connection's window is given back. */
  closeStream(stream: Http2Stream): void {
    if (stream.isClosed) return;
    this.outbound.drop(stream);
    this.streams.remove(stream);
    this.receiveWindow.release(stream, stream.unreleased);
    stream.reader.closed();
  }

  callFault(fault: CallFault): void {
    this.#options.onEvent({ kind: 'call-fault', fault });
  }

  /** Something was written. */
  wrote(): void {
    this.#options.onOutput();
  }

  /**
   * Asks the client to open no more streams: RFC 9113, section 6.8. A call that is on its way is not lost, as identifiers
   * are only bounded when the PING has come back.
   */
  drain(): void {
    if (this.state !== 'open') return;
    // RFC 9113, 3.4: SETTINGS are the first frame, also to a client that is slow to begin.
    this.greet();
    this.state = 'draining';
    writeGoaway(this.#out, maxInt31, errorCode.NO_ERROR, '');
    writePing(this.#out, 0, drainPing);
    this.wrote();
  }

  /** The second GOAWAY: what comes from here on is not taken. */
  lastCalls(): void {
    if (this.state !== 'draining') return;
    this.state = 'last-calls';
    writeGoaway(this.#out, this.streams.lastTakenId, errorCode.NO_ERROR, '');
    this.wrote();
  }

  #refuseHttp1(): void {
    this.#out.bytes(http1Answer);
    this.#options.onEvent({ kind: 'connection-fault', fault: 'no-http2' });
    this.end();
  }

  /** The response has ended. */
  #localEnded(stream: Http2Stream): void {
    // RFC 9113, 8.1: answered before the request was over. Where both have ended, Envoy would take it for a failure.
    if (stream.remoteEnded) this.closeStream(stream);
    else this.resetStream(stream.id, errorCode.NO_ERROR, undefined);
  }
}
