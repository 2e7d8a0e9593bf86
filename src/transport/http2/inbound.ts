import type { CallFault } from '../transport-event.ts';
import type { TransportLimits } from '../transport-limits.ts';
import {
  type ConnectionError,
  compressionError,
  connectionError,
  excess,
  flowControlError,
  frameSizeError,
  protocolError,
} from './connection-error.ts';
import type { FloodGuard } from './flood-guard.ts';
import { type ErrorCode, errorCode, frameFlag, maxInt31 } from './frame.ts';
import { HeadDecoder } from './head-decoder.ts';
import { HeaderBlocks, type OpenHeaderBlock } from './header-block.ts';
import type { ReceiveWindow } from './receive-window.ts';
import type { RequestHead } from './request-head.ts';
import { Http2Stream, type StreamReader } from './stream.ts';
import type { StreamTable } from './stream-table.ts';

/** What requests need of the session that they come in. */
export interface InboundSession {
  readonly limits: TransportLimits;
  readonly streams: StreamTable;
  readonly guard: FloodGuard;
  readonly receiveWindow: ReceiveWindow;
  readonly now: number;
  /** Whether another stream may be opened. */
  readonly hasPlace: boolean;
  /** The last GOAWAY is out. */
  readonly isClosing: boolean;
  /** What the send window of a new stream begins with. */
  readonly sendWindow: number;
  request(stream: Http2Stream, head: RequestHead): StreamReader;
  resetStream(id: number, code: ErrorCode, fault: CallFault | undefined): void;
}

/** A block may be this many times as large as what it decodes to, and is read as far as that to keep the table. */
const blocksPerList = 4;

const headerBlockSize = excess('header-block-size');
const streamClosed = connectionError(errorCode.STREAM_CLOSED, 'protocol');

/** Requests as they come: HEADERS, CONTINUATION and DATA. RFC 9113, sections 5.1, 6.1, 6.2, 6.10 and 8.1. */
export class Inbound {
  readonly #session: InboundSession;
  readonly #heads: HeadDecoder;
  readonly #blocks: HeaderBlocks;

  /** @param keptFields see {@link RequestHead.kept} */
  constructor(session: InboundSession, keptFields: ReadonlySet<string> | undefined) {
    const { limits } = session;
    this.#session = session;
    this.#heads = new HeadDecoder(limits.maxHeaderListBytes, keptFields);
    this.#blocks = new HeaderBlocks(blocksPerList * limits.maxHeaderListBytes);
  }

  get isMidBlock(): boolean {
    return this.#blocks.open !== undefined;
  }

  /** Header blocks that came in several frames so far. */
  get blocks(): number {
    return this.#blocks.count;
  }

  headers(
    flags: number,
    id: number,
    octets: Buffer,
    start: number,
    end: number,
  ): ConnectionError | undefined {
    const { guard, now } = this.#session;
    const padding = paddingOf(flags, octets, start, end);
    if (padding < 0 || (id & 1) === 0) return protocolError;
    let blockStart = start + padBytes(flags);
    const blockEnd = blockStart + end - start - padding;
    let dependsOnItself = false;
    if ((flags & frameFlag.PRIORITY) !== 0) {
      if (blockEnd - blockStart < 5) return frameSizeError;
      dependsOnItself = (octets.readUInt32BE(blockStart) & maxInt31) === id;
      blockStart += 5;
    }
    const block = { streamId: id, flags, dependsOnItself };
    if ((flags & frameFlag.END_HEADERS) !== 0) return this.#block(block, octets, blockStart, blockEnd);
    if (!this.#blocks.begin(block, octets, blockStart, blockEnd)) return headerBlockSize;
    return blockStart === blockEnd ? guard.emptyFrame(now) : undefined;
  }

  continuation(
    flags: number,
    id: number,
    octets: Buffer,
    start: number,
    end: number,
  ): ConnectionError | undefined {
    const { open } = this.#blocks;
    if (open === undefined || open.streamId !== id) return protocolError;
    if (!this.#blocks.continue(flags, octets, start, end)) return headerBlockSize;
    if ((flags & frameFlag.END_HEADERS) === 0) return undefined;
    const whole = this.#blocks.end();
    return this.#block(open, whole, 0, whole.length);
  }

  data(flags: number, id: number, octets: Buffer, start: number, end: number): ConnectionError | undefined {
    const { streams, guard, receiveWindow, now } = this.#session;
    const length = end - start;
    const padding = paddingOf(flags, octets, start, end);
    if (padding < 0 || id === 0 || streams.isIdle(id)) return protocolError;
    if (!receiveWindow.spend(length)) return flowControlError;
    const ended = (flags & frameFlag.END_STREAM) !== 0;
    if (length > padding || ended) guard.filledFrame();
    else {
      const error = guard.emptyFrame(now);
      if (error !== undefined) return error;
    }
    const stream = streams.get(id);
    if (stream === undefined || stream.remoteEnded) this.#uselessData(id, length);
    else if (this.#spend(stream, length, padding, ended)) {
      guard.dataReceived();
      const contentStart = start + padBytes(flags);
      stream.reader.data(octets, contentStart, contentStart + length - padding, ended);
      if (receiveWindow.isExhausted) this.#makeRoom();
    }
    return undefined;
  }

  /** Flow control and content-length of one DATA frame. Padding counts for the first. @returns whether it may be read */
  #spend(stream: Http2Stream, length: number, padding: number, ended: boolean): boolean {
    const { receiveWindow } = this.#session;
    stream.receiveWindow -= length;
    if (stream.receiveWindow < 0 || !stream.takeContent(length - padding, ended)) {
      receiveWindow.drop(length);
      const isOverrun = stream.receiveWindow < 0;
      const code = isOverrun ? errorCode.FLOW_CONTROL_ERROR : errorCode.PROTOCOL_ERROR;
      this.#session.resetStream(stream.id, code, isOverrun ? 'stream-flow-control' : 'malformed');
      return false;
    }
    if (padding > 0) receiveWindow.drop(padding);
    stream.unextended += length;
    stream.unreleased += length - padding;
    stream.remoteEnded = ended;
    return true;
  }

  /** DATA for a stream that takes none. It has used up the connection's window all the same. */
  #uselessData(id: number, length: number): void {
    const session = this.#session;
    session.receiveWindow.drop(length);
    if (!session.streams.wasReset(id)) session.resetStream(id, errorCode.STREAM_CLOSED, 'stream-closed');
  }

  #block(block: OpenHeaderBlock, octets: Buffer, start: number, end: number): ConnectionError | undefined {
    const { streams } = this.#session;
    const { streamId } = block;
    if (streams.isIdle(streamId)) return this.#request(block, octets, start, end);
    // It must be decoded in any case, since it may change the table: RFC 9113, section 4.3.
    const trailers = this.#heads.decodeTrailers(octets, start, end);
    if (trailers === undefined) return compressionError;
    const stream = streams.get(streamId);
    if (stream !== undefined) this.#trailers(stream, block, trailers === 'sound');
    else if (!streams.wasReset(streamId)) return streamClosed;
    return undefined;
  }

  #request(block: OpenHeaderBlock, octets: Buffer, start: number, end: number): ConnectionError | undefined {
    const session = this.#session;
    const { streamId: id, flags } = block;
    const head = this.#heads.decode(octets, start, end);
    if (head === undefined) return compressionError;
    session.streams.highestId = id;
    // RFC 9113, 6.8: what comes after the last GOAWAY is ignored.
    if (session.isClosing) return undefined;
    session.streams.lastTakenId = id;
    session.guard.streamOpened();
    const ended = (flags & frameFlag.END_STREAM) !== 0;
    if (head === 'too-large') session.resetStream(id, errorCode.ENHANCE_YOUR_CALM, 'header-list-size');
    else if (head === 'malformed' || block.dependsOnItself || (ended && head.contentLength > 0)) {
      session.resetStream(id, errorCode.PROTOCOL_ERROR, 'malformed');
    } else if (session.hasPlace) this.#open(id, head, ended);
    else session.resetStream(id, errorCode.REFUSED_STREAM, 'refused');
    return undefined;
  }

  #open(id: number, head: RequestHead, ended: boolean): void {
    const session = this.#session;
    const stream = new Http2Stream(id, {
      now: session.now,
      sendWindow: session.sendWindow,
      receiveWindow: session.limits.streamWindowBytes,
      contentLength: head.contentLength,
      ended,
    });
    session.streams.add(stream);
    stream.reader = session.request(stream, head);
    if (ended && !stream.isClosed) stream.reader.end();
  }

  /** A second header block, RFC 9113, section 8.1: trailers, which end the request. What they say is of no use. */
  #trailers(stream: Http2Stream, { flags, dependsOnItself }: OpenHeaderBlock, isSound: boolean): void {
    const session = this.#session;
    const isLast = (flags & frameFlag.END_STREAM) !== 0 && stream.contentLeft <= 0;
    if (stream.remoteEnded) session.resetStream(stream.id, errorCode.STREAM_CLOSED, 'stream-closed');
    else if (!isSound || !isLast || dependsOnItself) {
      session.resetStream(stream.id, errorCode.PROTOCOL_ERROR, 'malformed');
    } else {
      stream.remoteEnded = true;
      stream.reader.end();
    }
  }

  /** The client can send nothing more, and no message is complete: one of them has to go. */
  #makeRoom(): void {
    let largest: Http2Stream | undefined;
    for (const stream of this.#session.streams.all()) {
      if (stream.unreleased > (largest?.unreleased ?? 0)) largest = stream;
    }
    largest?.reader.windowExhausted();
  }
}

/** Octets of a frame that are padding, with the one that tells their number: RFC 9113, section 6.1. -1: more than it has. */
function paddingOf(flags: number, octets: Buffer, start: number, end: number): number {
  if ((flags & frameFlag.PADDED) === 0) return 0;
  const padding = start < end ? 1 + (octets[start] as number) : 256;
  return padding > end - start ? -1 : padding;
}

/** Of them, those before the content. */
function padBytes(flags: number): number {
  return (flags & frameFlag.PADDED) === 0 ? 0 : 1;
}
