import { flags as flag, types } from '../../support/http2-frames.ts';
import { StreamView } from './stream-view.ts';

const windowAtFirst = 65_535;
const leastFrameSize = 16_384;
const ids = { headerTableSize: 1, initialWindow: 4, maxFrameSize: 5 };

/** What the client of a session knows of it, by the frames that it sent. Made of them alone, without the code under test. */
export class ClientView {
  readonly streams = new Map<number, StreamView>();
  readonly #streamWindow: number;
  /** What the server may send on the connection. */
  sendWindow = windowAtFirst;
  /** What the client may. */
  receiveWindow = windowAtFirst;
  maxFrameSize = leastFrameSize;
  /** The server must say that it uses no table, in its next header block: RFC 7541, 4.2. */
  mustUpdateTable = false;
  /** The highest stream that the client has opened, and the one before it. */
  highestId = 0;
  previousId = 0;
  /** The highest stream that the server takes: RFC 9113, 6.8. */
  lastId = 0x7fff_ffff;
  settingsCount = 0;
  readonly pings: bigint[] = [];
  #initialWindow = windowAtFirst;
  #openBlock: { id: number; endStream: boolean } | undefined;

  /** @param streamWindow what the client may send in a stream at first, by the server's SETTINGS */
  constructor(streamWindow: number) {
    this.#streamWindow = streamWindow;
  }

  /** A frame that the session is about to take. */
  sent(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void {
    this.previousId = this.highestId;
    const isLong = end - start === 8;
    if (type === types.HEADERS || type === types.CONTINUATION) this.#block(type, flags, id);
    else if (type === types.DATA) this.#data(flags, id, end - start);
    else if (type === types.WINDOW_UPDATE && end - start === 4) this.#widen(id, octets.readUInt32BE(start));
    else if (type === types.SETTINGS && (flags & flag.ACK) === 0) this.#settings(octets, start, end);
    else if (type === types.PING && (flags & flag.ACK) === 0 && isLong)
      this.pings.push(octets.readBigUInt64BE(start));
    else if (type === types.RST_STREAM) {
      const stream = this.streams.get(id);
      if (stream !== undefined) stream.clientReset = true;
    }
  }

  #block(type: number, flags: number, id: number): void {
    if (type === types.HEADERS) this.#openBlock = { id, endStream: (flags & flag.END_STREAM) !== 0 };
    if ((flags & flag.END_HEADERS) === 0 || this.#openBlock?.id !== id) return;
    const { endStream } = this.#openBlock;
    this.#openBlock = undefined;
    if (id > this.highestId && id % 2 === 1) {
      this.highestId = id;
      this.streams.set(id, new StreamView(id, this.#initialWindow, this.#streamWindow));
    }
    const stream = this.streams.get(id);
    if (stream !== undefined && endStream) stream.clientEnded = true;
  }

  #data(flags: number, id: number, length: number): void {
    this.receiveWindow -= length;
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    stream.receiveWindow -= length;
    if ((flags & flag.END_STREAM) !== 0) stream.clientEnded = true;
  }

  #widen(id: number, field: number): void {
    const octets = field & 0x7fff_ffff;
    const stream = this.streams.get(id);
    if (id === 0) this.sendWindow += octets;
    else if (stream !== undefined) stream.sendWindow += octets;
  }

  #settings(octets: Buffer, start: number, end: number): void {
    this.settingsCount += 1;
    for (let at = start; at + 6 <= end; at += 6) {
      const id = octets.readUInt16BE(at);
      const value = octets.readUInt32BE(at + 2);
      if (id === ids.headerTableSize && value < 4_096) this.mustUpdateTable = true;
      else if (id === ids.maxFrameSize && value >= leastFrameSize) this.maxFrameSize = value;
      else if (id === ids.initialWindow) {
        for (const stream of this.streams.values()) stream.sendWindow += value - this.#initialWindow;
        this.#initialWindow = value;
      }
    }
  }
}
