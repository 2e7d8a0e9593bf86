import { types } from '../../support/http2-frames.ts';
import type { ClientView } from './client-view.ts';
import { ConnectionCheck } from './connection-check.ts';
import { Fault } from './fault.ts';
import { StreamCheck } from './stream-check.ts';

/** Gets a frame of the server that was found sound. */
export type ServerFrameListener = (
  type: number,
  flags: number,
  id: number,
  octets: Buffer,
  start: number,
  end: number,
) => void;

const headBytes = 9;
const http1 = 'HTTP/1.1 400';

/** Reads what a session writes, as its client would, and finds what a client must not get: RFC 9113. */
export class OutputCheck {
  readonly connection: ConnectionCheck;
  readonly #streams: StreamCheck;
  readonly #view: ClientView;
  readonly #listener: ServerFrameListener | undefined;
  /** Frames that were read. */
  frames = 0;
  /** The client does not speak HTTP/2, and was told so. */
  hasRefusedHttp1 = false;

  constructor(
    view: ClientView,
    windows: { connection: number; stream: number },
    listener?: ServerFrameListener,
  ) {
    this.#view = view;
    this.#listener = listener;
    this.connection = new ConnectionCheck(view, windows.connection);
    this.#streams = new StreamCheck(view, windows.stream);
  }

  /** Nothing more may be written. */
  get hasEnded(): boolean {
    return this.hasRefusedHttp1 || this.connection.errorCode > 0;
  }

  /** @returns where the octets that were not read yet begin */
  read(octets: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end) {
      if (this.frames === 0 && octets.toString('latin1', at, at + http1.length) === http1) {
        this.hasRefusedHttp1 = true;
        return end;
      }
      const stop = end - at < headBytes ? end + 1 : at + headBytes + octets.readUIntBE(at, 3);
      if (stop > end) throw new Fault('frames are whole', octets.toString('hex', at, Math.min(end, at + 40)));
      this.#frame(octets, at, stop);
      at = stop;
    }
    return at;
  }

  #frame(octets: Buffer, at: number, end: number): void {
    if (this.hasEnded)
      throw new Fault('nothing is written after the end', octets.toString('hex', at, end).slice(0, 80));
    const type = octets[at + 3] as number;
    const flags = octets[at + 4] as number;
    const id = octets.readUInt32BE(at + 5);
    const start = at + headBytes;
    if (end - start > this.#view.maxFrameSize)
      throw new Fault('frames are not too large', `${end - start} octets`);
    this.frames += 1;
    const isOfConnection =
      id === 0 || type === types.SETTINGS || type === types.PING || type === types.GOAWAY;
    if (isOfConnection) this.connection.frame(type, flags, id, octets, start, end);
    else this.#streams.frame(type, flags, id, octets, start, end);
    this.#listener?.(type, flags, id, octets, start, end);
  }
}
