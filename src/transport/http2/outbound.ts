import { keptConcat, keptCopy } from '../kept-octets.ts';
import type { OctetWriter } from '../octet-writer.ts';
import { defaultWindowBytes, frameFlag, frameHeadBytes, frameType, maxInt31 } from './frame.ts';
import { putFrameHead, writeFrameHead } from './frame-writer.ts';
import type { PeerSettings } from './peer-settings.ts';
import type { HeldOctets, Http2Stream } from './stream.ts';

export interface OutboundListener {
  /** DATA was sent. */
  dataSent(): void;
  /** The response of a stream has ended. */
  localEnded(stream: Http2Stream): void;
  /** A stream's octets can't be held back, since too many are already. */
  overflowed(stream: Http2Stream): void;
}

/** A dynamic table size update to 0: RFC 7541, section 6.3. */
const tableSizeZero = Buffer.of(0x20);

/** Responses on their way out, as far as flow control lets them: RFC 9113, section 6.9. HEADERS are never held back. */
export class Outbound {
  readonly out: OctetWriter;
  readonly #peer: PeerSettings;
  readonly #maxHeldBytes: number;
  readonly #listener: OutboundListener;
  #window = defaultWindowBytes;
  /** Streams with octets for which the connection's window has no room: those that wait for their own are not looked at. */
  readonly #held = new Set<Http2Stream>();
  heldBytes = 0;
  /** Octets of DATA that were sent so far. */
  sentBytes = 0;
  /** Where the payload of the DATA frame that is being written begins. */
  #dataAt = 0;

  constructor(out: OctetWriter, peer: PeerSettings, maxHeldBytes: number, listener: OutboundListener) {
    this.out = out;
    this.#peer = peer;
    this.#maxHeldBytes = maxHeldBytes;
    this.#listener = listener;
  }

  /** @param block an encoded header list that depends on no table */
  sendHeaders(stream: Http2Stream, block: Uint8Array, endStream: boolean): void {
    if (endStream && stream.held !== undefined) {
      stream.held.trailers = block;
      return;
    }
    const update = this.#peer.headerTableShrank ? tableSizeZero : undefined;
    this.#peer.headerTableShrank = false;
    const flags = frameFlag.END_HEADERS | (endStream ? frameFlag.END_STREAM : 0);
    writeFrameHead(this.out, block.length + (update?.length ?? 0), frameType.HEADERS, flags, stream.id);
    if (update !== undefined) this.out.bytes(update);
    this.out.bytes(block);
    if (endStream) this.#listener.localEnded(stream);
  }

  /** The next block has to say that the client's table is smaller. */
  get owesTableUpdate(): boolean {
    return this.#peer.headerTableShrank;
  }

  /** Takes back what was written from `at` on, for a response that can't be encoded. */
  takeBack(at: number, owedTableUpdate: boolean): void {
    this.out.at = at;
    this.#peer.headerTableShrank = owedTableUpdate;
  }

  /** What is written from here to {@link endData} is the payload of one or more DATA frames. */
  beginData(): OctetWriter {
    const { out } = this;
    out.reserve(frameHeadBytes);
    out.at += frameHeadBytes;
    this.#dataAt = out.at;
    return out;
  }

  /** @returns whether all of it is on its way; the rest is held back, and the stream's reader is told when it has gone */
  endData(stream: Http2Stream, endStream: boolean): boolean {
    const { out } = this;
    const length = out.at - this.#dataAt;
    const isFree = length <= this.#window && length <= stream.sendWindow && length <= this.#peer.maxFrameSize;
    if (isFree && stream.held === undefined) {
      const flags = endStream ? frameFlag.END_STREAM : 0;
      putFrameHead(out.octets, this.#dataAt - frameHeadBytes, length, frameType.DATA, flags, stream.id);
      this.#spend(stream, length);
      if (endStream) this.#listener.localEnded(stream);
      return true;
    }
    const octets = keptCopy(out.octets.subarray(this.#dataAt, out.at));
    out.at = this.#dataAt - frameHeadBytes;
    return this.#hold(stream, octets, endStream);
  }

  /** What is held back for a stream is not wanted any more. */
  drop(stream: Http2Stream): void {
    if (stream.held === undefined) return;
    this.heldBytes -= stream.held.octets.length;
    stream.held = undefined;
    this.#held.delete(stream);
  }

  /** A WINDOW_UPDATE. @returns false when the window is then larger than a window can be */
  widen(stream: Http2Stream | undefined, octets: number): boolean {
    if (stream === undefined) {
      this.#window += octets;
      if (this.#window > maxInt31) return false;
      // One at a time, in the order in which they were held back.
      for (const held of this.#held) {
        if (this.#window <= 0) break;
        this.#pump(held);
      }
      return true;
    }
    stream.sendWindow += octets;
    if (stream.sendWindow > maxInt31) return false;
    this.#pump(stream);
    return true;
  }

  /** RFC 9113, 6.9.2: a new INITIAL_WINDOW_SIZE moves the windows of all streams, also below zero. */
  widenAll(streams: Iterable<Http2Stream>, octets: number): boolean {
    const held: Http2Stream[] = [];
    for (const stream of streams) {
      stream.sendWindow += octets;
      if (stream.sendWindow > maxInt31) return false;
      if (stream.held !== undefined) held.push(stream);
    }
    for (const stream of held) this.#pump(stream);
    return true;
  }

  #hold(stream: Http2Stream, octets: Buffer, endStream: boolean): boolean {
    if (this.heldBytes + octets.length > this.#maxHeldBytes) {
      this.#listener.overflowed(stream);
      return false;
    }
    this.heldBytes += octets.length;
    if (stream.held === undefined) {
      stream.held = { octets, copied: octets.length, trailers: undefined, endStream };
    } else {
      const { held } = stream;
      held.octets = keptConcat([held.octets, octets], held.octets.length + octets.length);
      stream.held.copied = stream.held.octets.length;
      stream.held.endStream = endStream;
    }
    this.#pump(stream);
    return stream.held === undefined;
  }

  /** Sends what the windows allow of what a stream holds back. */
  #pump(stream: Http2Stream): void {
    const { held } = stream;
    if (held === undefined) return;
    while (held.octets.length > 0) {
      const length = Math.min(held.octets.length, this.#window, stream.sendWindow, this.#peer.maxFrameSize);
      if (length <= 0) {
        letGoOfSent(held);
        if (stream.sendWindow > 0) this.#held.add(stream);
        else this.#held.delete(stream);
        return;
      }
      const isLast = held.endStream && length === held.octets.length;
      writeFrameHead(this.out, length, frameType.DATA, isLast ? frameFlag.END_STREAM : 0, stream.id);
      this.out.bytes(held.octets.subarray(0, length));
      held.octets = held.octets.subarray(length);
      this.heldBytes -= length;
      this.#spend(stream, length);
    }
    this.#released(stream, held);
  }

  #released(stream: Http2Stream, held: HeldOctets): void {
    stream.held = undefined;
    this.#held.delete(stream);
    if (held.trailers !== undefined) this.sendHeaders(stream, held.trailers, true);
    else if (held.endStream) this.#listener.localEnded(stream);
    else stream.reader.sent();
  }

  #spend(stream: Http2Stream, length: number): void {
    this.#window -= length;
    this.sentBytes += length;
    stream.sendWindow -= length;
    this.#listener.dataSent();
  }
}

/** A client that leaves one octet of each answer must not hold all of them. */
function letGoOfSent(held: HeldOctets): void {
  if (2 * held.octets.length > held.copied) return;
  held.octets = keptCopy(held.octets);
  held.copied = held.octets.length;
}
