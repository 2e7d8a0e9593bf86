import type { HeaderField } from '../../../src/transport/hpack/static-table.ts';
import { OctetWriter } from '../../../src/transport/octet-writer.ts';
import { flags as flag, types } from '../../support/http2-frames.ts';
import type { Random } from '../random.ts';
import type { Recorder } from '../recorder.ts';
import { HpackWriter } from './hpack-writer.ts';

const mostContinuations = 8;
const mostPerFrame = 16_384;
const noOctets = Buffer.alloc(0);

/** Writes a client's frames, in all the forms that each may have. */
export class FrameSink {
  readonly #recorder: Recorder;
  readonly #random: Random;
  readonly #hpack: HpackWriter;
  readonly #block = new OctetWriter();

  constructor(recorder: Recorder, random: Random) {
    this.#recorder = recorder;
    this.#random = random;
    this.#hpack = new HpackWriter(random);
  }

  frame(
    type: number,
    flags: number,
    id: number,
    payload: Buffer = noOctets,
    start = 0,
    end = payload.length,
  ): void {
    const { script } = this.#recorder;
    this.#head(end - start, type, flags, id);
    script.copy(payload, start, end);
  }

  /** @param numbers of 32 bits, one after another */
  numbers(type: number, flags: number, id: number, ...numbers: readonly number[]): void {
    const { script } = this.#recorder;
    this.#head(4 * numbers.length, type, flags, id);
    script.reserve(4 * numbers.length);
    for (const number of numbers) script.length = script.octets.writeUInt32BE(number >>> 0, script.length);
  }

  settings(pairs: readonly (readonly [id: number, value: number])[]): void {
    const { script } = this.#recorder;
    this.#head(6 * pairs.length, types.SETTINGS, 0, 0);
    script.reserve(6 * pairs.length);
    for (const [id, value] of pairs) {
      script.length = script.octets.writeUInt16BE(id, script.length);
      script.length = script.octets.writeUInt32BE(value, script.length);
    }
  }

  /** @param padding octets of it, with the one that tells how many; 0: none */
  data(id: number, endStream: boolean, octets: Buffer, start: number, end: number, padding: number): void {
    const { script } = this.#recorder;
    const flags = (endStream ? flag.END_STREAM : 0) | (padding > 0 ? flag.PADDED : 0);
    this.#head(end - start + padding, types.DATA, flags, id);
    if (padding > 0) this.#octet(padding - 1);
    script.copy(octets, start, end);
    for (let i = 1; i < padding; i++) this.#octet(0);
  }

  /** Padded or not, with a priority or not, in one frame or several. */
  headers(id: number, endStream: boolean, fields: readonly HeaderField[]): void {
    const random = this.#random;
    const block = this.#block;
    block.at = 0;
    this.#hpack.block(fields, block);
    const padding = random.oneIn(6) ? 1 + random.below(40) : 0;
    const priority = random.oneIn(6) ? 5 : 0;
    const first = this.#firstPart(block.at, padding + priority);
    const isWhole = first === block.at && !random.oneIn(30);
    const flags = endStream ? flag.END_STREAM : 0;
    const forms = (padding > 0 ? flag.PADDED : 0) | (priority > 0 ? flag.PRIORITY : 0);
    this.#head(
      first + padding + priority,
      types.HEADERS,
      flags | forms | (isWhole ? flag.END_HEADERS : 0),
      id,
    );
    if (padding > 0) this.#octet(padding - 1);
    // Stream 0, which nothing depends on, and a weight.
    for (let i = 0; i < priority; i++) this.#octet(i === 4 ? random.below(256) : 0);
    this.#recorder.script.copy(block.octets, 0, first);
    for (let i = 1; i < padding; i++) this.#octet(0);
    if (!isWhole) this.#continuations(id, first);
  }

  #firstPart(length: number, more: number): number {
    const most = Math.min(length, mostPerFrame - more);
    return this.#random.oneIn(10) && length > 1 ? 1 + this.#random.below(most) : most;
  }

  #continuations(id: number, from: number): void {
    const block = this.#block;
    let at = from;
    for (let left = mostContinuations; left > 0; left--) {
      const most = Math.min(mostPerFrame, block.at - at);
      const mustAll = left * mostPerFrame < 2 * (block.at - at) || left === 1;
      const size = mustAll || this.#random.oneIn(2) ? most : this.#random.between(Math.min(1, most), most);
      const isLast = at + size === block.at;
      this.frame(types.CONTINUATION, isLast ? flag.END_HEADERS : 0, id, block.octets, at, at + size);
      at += size;
      if (isLast) return;
    }
  }

  #head(length: number, type: number, flags: number, id: number): void {
    const { script } = this.#recorder;
    script.reserve(9 + length);
    script.octets.writeUIntBE(length, script.length, 3);
    script.octets[script.length + 3] = type;
    script.octets[script.length + 4] = flags;
    script.octets.writeUInt32BE(id >>> 0, script.length + 5);
    script.length += 9;
  }

  #octet(value: number): void {
    const { script } = this.#recorder;
    script.octets[script.length] = value;
    script.length += 1;
  }
}
