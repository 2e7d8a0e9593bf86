import type { OctetWriter } from '../octet-writer.ts';
import { defaultWindowBytes } from './frame.ts';
import { writeWindowUpdate } from './frame-writer.ts';
import type { Http2Stream } from './stream.ts';

/**
 * What the client may still send: RFC 9113, section 6.9. A stream's window is given back as octets arrive, the connection's
 * only when their message is handed over or dropped: so incomplete messages of all streams together are bounded by it.
 */
export class ReceiveWindow {
  readonly #out: OctetWriter;
  readonly #size: number;
  readonly #streamSize: number;
  #left: number;
  #released = 0;
  #hasEnded = false;

  constructor(out: OctetWriter, size: number, streamSize: number) {
    this.#out = out;
    this.#size = size;
    this.#streamSize = streamSize;
    this.#left = size;
  }

  get isExhausted(): boolean {
    return this.#left + this.#released <= 0;
  }

  /** The connection's window begins with 65,535, whatever SETTINGS say: RFC 9113, section 6.9.2. */
  open(): void {
    // RFC 9113, 6.9: an update by nothing is an error.
    if (this.#size > defaultWindowBytes) writeWindowUpdate(this.#out, 0, this.#size - defaultWindowBytes);
  }

  /** After the last GOAWAY, a WINDOW_UPDATE would be about a connection that is no more. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Octets have come. @returns false when they are more than was allowed */
  spend(octets: number): boolean {
    this.#left -= octets;
    if (this.#left < 0) return false;
    this.#tell();
    return true;
  }

  /** So many octets of a request are not kept any more. */
  release(stream: Http2Stream, octets: number): void {
    stream.unreleased -= octets;
    this.drop(octets);
  }

  /** Octets were not kept at all: padding, and what came for nobody. */
  drop(octets: number): void {
    this.#released += octets;
    this.#tell();
  }

  /**
   * Tells the client of what was released, when that is worth a frame, or when the client may be waiting: also when it only
   * then uses up what was left, as nothing else might be released before it can go on.
   */
  #tell(): void {
    if (this.#released < this.#size / 4 && this.#left > this.#size / 4) return;
    if (this.#released === 0 || this.#hasEnded) return;
    writeWindowUpdate(this.#out, 0, this.#released);
    this.#left += this.#released;
    this.#released = 0;
  }

  /** The stream may send as much again as it has sent, when that is worth a frame. */
  extend(stream: Http2Stream): void {
    if (stream.remoteEnded || stream.unextended < this.#streamSize / 2) return;
    writeWindowUpdate(this.#out, stream.id, stream.unextended);
    stream.receiveWindow += stream.unextended;
    stream.unextended = 0;
  }
}
