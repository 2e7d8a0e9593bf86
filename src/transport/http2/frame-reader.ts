import { frameHeadBytes, maxInt31 } from './frame.ts';

export interface FrameListener {
  /** A whole frame, whose payload is `octets[start, end)` until this returns. */
  frame(type: number, flags: number, streamId: number, octets: Buffer, start: number, end: number): void;
  /** A frame has begun whose payload is too large to be taken; nothing is read any more (RFC 9113, 4.2). */
  frameTooLarge(): void;
  /** Whether the frames that follow are still wanted. */
  readonly isReading: boolean;
}

/** Whoever feeds it has other things to do in between: these are about fifty calls. */
const framesAtOnce = 100;

/**
 * Cuts a connection's octets into frames. Frames that came whole are read where they lie; only one that is cut is copied,
 * so a connection never holds more than one frame, and none while nothing is on its way.
 */
export class FrameReader {
  readonly #listener: FrameListener;
  readonly #maxFrameBytes: number;
  /** The frame that was cut, as far as it has come. */
  #cut: Buffer | undefined;
  #cutLength = 0;
  /** Frames that were cut so far: tells the one that is cut now from an earlier one. */
  cuts = 0;

  constructor(listener: FrameListener, maxFrameBytes: number) {
    this.#listener = listener;
    this.#maxFrameBytes = maxFrameBytes;
  }

  /** Whether a frame has begun and not ended. */
  get isMidFrame(): boolean {
    return this.#cut !== undefined;
  }

  /**
   * Reads on from there, some frames at most.
   * @returns where it stopped; the rest is to be fed again
   */
  feed(chunk: Buffer, start = 0): number {
    let at = this.#cut === undefined ? start : this.#complete(this.#cut, chunk, start);
    for (let frames = 0; this.#listener.isReading && chunk.length - at >= frameHeadBytes; frames += 1) {
      if (frames === framesAtOnce) return at;
      const length = chunk.readUIntBE(at, 3);
      if (length > this.#maxFrameBytes) {
        this.#listener.frameTooLarge();
        return chunk.length;
      }
      const end = at + frameHeadBytes + length;
      if (end > chunk.length) break;
      this.#emit(chunk, at, end);
      at = end;
    }
    if (this.#listener.isReading && at < chunk.length) this.#keep(chunk, at);
    return chunk.length;
  }

  #emit(octets: Buffer, at: number, end: number): void {
    const type = octets[at + 3] as number;
    const flags = octets[at + 4] as number;
    const streamId = octets.readUInt32BE(at + 5) & maxInt31;
    this.#listener.frame(type, flags, streamId, octets, at + frameHeadBytes, end);
  }

  /** Adds to the frame that was cut. Returns where the next begins, or the chunk's end if this one is not whole yet. */
  #complete(cut: Buffer, chunk: Buffer, start: number): number {
    let at = start;
    let frame = cut;
    if (this.#cutLength < frameHeadBytes) {
      at = this.#append(frame, chunk, at, frameHeadBytes);
      if (this.#cutLength < frameHeadBytes) return at;
      const length = frame.readUIntBE(0, 3);
      if (length > this.#maxFrameBytes) {
        this.#listener.frameTooLarge();
        return chunk.length;
      }
      frame = Buffer.allocUnsafeSlow(frameHeadBytes + length);
      cut.copy(frame, 0, 0, frameHeadBytes);
      this.#cut = frame;
    }
    at = this.#append(frame, chunk, at, frame.length);
    if (this.#cutLength < frame.length) return at;
    this.#cut = undefined;
    this.#cutLength = 0;
    this.#emit(frame, 0, frame.length);
    return at;
  }

  #append(frame: Buffer, chunk: Buffer, at: number, wanted: number): number {
    const taken = chunk.copy(
      frame,
      this.#cutLength,
      at,
      Math.min(chunk.length, at + wanted - this.#cutLength),
    );
    this.#cutLength += taken;
    return at + taken;
  }

  #keep(chunk: Buffer, at: number): void {
    this.cuts += 1;
    this.#cutLength = chunk.length - at;
    const isHeadWhole = this.#cutLength >= frameHeadBytes;
    const size = frameHeadBytes + (isHeadWhole ? chunk.readUIntBE(at, 3) : 0);
    // Not from the pool: ten thousand clients that begin a frame would keep as many slabs of 64 KiB.
    this.#cut = Buffer.allocUnsafeSlow(size);
    chunk.copy(this.#cut, 0, at);
  }
}
