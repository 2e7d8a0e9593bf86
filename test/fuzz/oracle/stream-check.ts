import { flags as flag, types } from '../../support/http2-frames.ts';
import type { ClientView } from './client-view.ts';
import { Fault } from './fault.ts';
import { readResponseBlock } from './response-block.ts';
import type { StreamView } from './stream-view.ts';

const codes = { NO_ERROR: 0, PROTOCOL_ERROR: 1, STREAM_CLOSED: 5, FRAME_SIZE_ERROR: 6 };

/** Frames of the server that are about one stream. */
export class StreamCheck {
  readonly #view: ClientView;
  readonly #window: number;

  /** @param window the server's for each stream */
  constructor(view: ClientView, window: number) {
    this.#view = view;
    this.#window = window;
  }

  frame(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void {
    const stream = this.#view.streams.get(id);
    const detail = `type ${type} on ${id}`;
    if (type === types.RST_STREAM) this.#reset(id, stream, end - start, octets.readUInt32BE(start));
    else if (stream === undefined) throw new Fault('nothing is sent on streams that are not there', detail);
    else if (stream.hasEnded) throw new Fault('nothing is sent on a stream that has ended', detail);
    else if (id > this.#view.lastId) throw new Fault('what came after the last call is ignored', detail);
    else if (type === types.HEADERS) this.#headers(stream, flags, octets, start, end);
    else if (type === types.DATA) this.#data(stream, flags, octets, start, end);
    else if (type === types.WINDOW_UPDATE) {
      this.#windowUpdate(stream, end - start, octets.readUInt32BE(start));
    } else throw new Fault('frames are of a known type', detail);
  }

  #headers(stream: StreamView, flags: number, octets: Buffer, start: number, end: number): void {
    if ((flags & ~flag.END_STREAM) !== flag.END_HEADERS)
      throw new Fault('HEADERS are whole', `flags ${flags}`);
    const block = readResponseBlock(octets, start, end);
    if (this.#view.mustUpdateTable && !block.updatesTable) throw new Fault('a smaller table is acknowledged');
    this.#view.mustUpdateTable = false;
    const isEnd = (flags & flag.END_STREAM) !== 0;
    const isFirst = !stream.hasHead;
    if (isFirst) {
      stream.hasHead = true;
      stream.isGrpc = block.isGrpc;
      stream.httpStatus = block.httpStatus;
    }
    stream.grpcStatus = block.grpcStatus;
    stream.serverEnded = isEnd;
    const hasStatus = !isEnd || block.grpcStatus >= 0;
    const isSound = isFirst === (block.httpStatus !== '') && (isFirst || isEnd) && hasStatus;
    if (!isSound || stream.isMidMessage)
      throw new Fault('responses are sound', `HEADERS on stream ${stream.id}`);
  }

  #data(stream: StreamView, flags: number, octets: Buffer, start: number, end: number): void {
    const length = end - start;
    const isEnd = (flags & flag.END_STREAM) !== 0;
    // RFC 9113, 6.9.1: a frame without octets needs no window.
    if (length > 0 && (length > stream.sendWindow || length > this.#view.sendWindow)) {
      const windows = `${stream.sendWindow} and ${this.#view.sendWindow}`;
      throw new Fault(
        'DATA keeps to the windows',
        `${length} octets on stream ${stream.id}, windows ${windows}`,
      );
    }
    stream.sendWindow -= length;
    this.#view.sendWindow -= length;
    if ((flags & ~flag.END_STREAM) !== 0 || !stream.hasHead || (stream.isGrpc && isEnd)) {
      throw new Fault('responses are sound', `DATA on stream ${stream.id}, flags ${flags}`);
    }
    stream.serverEnded = isEnd;
    if (stream.isGrpc) stream.data(octets, start, end);
  }

  #windowUpdate(stream: StreamView, length: number, octets: number): void {
    stream.receiveWindow += octets;
    const isSound = length === 4 && octets > 0 && octets <= 0x7fff_ffff && !stream.clientEnded;
    if (!isSound) throw new Fault('WINDOW_UPDATE is sound', `${octets} on stream ${stream.id}`);
    if (stream.receiveWindow > this.#window) {
      throw new Fault('no octet is given back twice', `stream ${stream.id}: ${stream.receiveWindow}`);
    }
  }

  /** RFC 9113, 5.4.2: once for each stream, but for those whose client goes on though it should not. */
  #reset(id: number, stream: StreamView | undefined, length: number, code: number): void {
    if (length !== 4) throw new Fault('RST_STREAM is sound');
    const hasEnded = stream === undefined || stream.clientReset || stream.resetCode >= 0;
    const isLate = hasEnded || (stream.serverEnded && stream.clientEnded) || id > this.#view.lastId;
    const isOfClosed =
      code === codes.STREAM_CLOSED || code === codes.PROTOCOL_ERROR || code === codes.FRAME_SIZE_ERROR;
    const isIdle = id > this.#view.highestId;
    if (isIdle || (isLate && !isOfClosed))
      throw new Fault('a stream is reset once', `stream ${id}, code ${code}`);
    if (stream === undefined) return;
    if (!isLate && stream.serverEnded !== (code === codes.NO_ERROR) && !isOfClosed) {
      throw new Fault('RST_STREAM has the right code', `stream ${id}, code ${code}`);
    }
    stream.resetCode = code;
  }
}
