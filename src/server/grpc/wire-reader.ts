import { type Octets, octetsAt } from '../../domain/octets.ts';

import type { KnownTexts } from './known-texts.ts';

/** Groups (an old wire type that proto3 only skips) may be nested this deep; the recursion limit of other decoders. */
const maxGroupDepth = 100;

/**
 * Reads the parts of one encoded protobuf message from front to back: encoding of protobuf, "Message Structure".
 *
 * It never throws. At the first thing that can't be read, {@link failedAt} is set and the position moves to the end, so
 * that the loops of callers, which all run while `at < end`, come to their end too. What was returned since is void.
 */
export class WireReader {
  /** Offset of the next octet. */
  at = 0;
  /** Offset of the first thing that could not be read; -1 while there is none. */
  failedAt = -1;
  /** The last varint's upper 32 bits. */
  high = 0;
  readonly octets: Buffer;

  constructor(octets: Buffer) {
    this.octets = octets;
  }

  /** A varint's lower 32 bits, which are what a uint32 or an enum of a longer varint is. */
  varint(end: number): number {
    const first = this.octets[this.at] as number;
    if (first >= 0x80 || this.at >= end) return this.#longVarint(end);
    this.at += 1;
    this.high = 0;
    return first;
  }

  /** A varint of 64 bits; rounded above 2^53. */
  uint64(end: number): number {
    const low = this.varint(end);
    return this.high * 0x1_0000_0000 + low;
  }

  /** A field's number and wire type: `number << 3 | type`. 0 when there is none. */
  tag(end: number): number {
    const start = this.at;
    const tag = this.varint(end);
    return this.high === 0 && tag >= 8 ? tag : this.#fail(start);
  }

  /** Reads a field's length; returns where the field ends. */
  lengthDelimited(end: number): number {
    const start = this.at;
    const length = this.varint(end);
    if (this.high === 0 && length <= end - this.at) return this.at + length;
    this.#fail(start);
    return this.at;
  }

  /** Text that others sent before: see {@link KnownTexts}. */
  knownText(end: number, known: KnownTexts): Octets {
    const stop = this.lengthDelimited(end);
    const text = known.at(this.octets, this.at, stop);
    this.at = stop;
    return text;
  }

  text(end: number): Octets {
    const stop = this.lengthDelimited(end);
    const text = octetsAt(this.octets, this.at, stop);
    this.at = stop;
    return text;
  }

  /** Passes over a field that is not known, or known with another wire type. */
  skip(tag: number, end: number): void {
    switch (tag & 7) {
      case 0:
        this.varint(end);
        return;
      case 1:
        this.#advance(8, end);
        return;
      case 2:
        this.at = this.lengthDelimited(end);
        return;
      case 3:
        this.#skipGroup(tag >>> 3, end);
        return;
      case 5:
        this.#advance(4, end);
        return;
      default:
        this.#fail(this.at);
    }
  }

  #longVarint(end: number): number {
    const start = this.at;
    let low = 0;
    let high = 0;
    for (let i = 0; i < 10 && this.at < end; i++) {
      const octet = this.octets[this.at++] as number;
      const bits = octet & 0x7f;
      if (i < 5) low |= bits << (7 * i);
      if (i === 4) high = bits >>> 4;
      if (i > 4) high |= bits << (7 * i - 32);
      if (octet >= 0x80) continue;
      // Ten octets hold 70 bits; the last may use one.
      if (i === 9 && octet > 1) break;
      this.high = high >>> 0;
      return low >>> 0;
    }
    return this.#fail(start);
  }

  #advance(length: number, end: number): void {
    if (length <= end - this.at) this.at += length;
    else this.#fail(this.at);
  }

  #skipGroup(number: number, end: number): void {
    const open = [number];
    while (open.length > 0) {
      const start = this.at;
      const tag = this.tag(end);
      const type = tag & 7;
      if (type === 3) open.push(tag >>> 3);
      else if (type !== 4) this.skip(tag, end);
      else if (open.pop() !== tag >>> 3) this.#fail(start);
      if (open.length > maxGroupDepth) this.#fail(start);
      if (this.failedAt >= 0) return;
    }
  }

  #fail(at: number): 0 {
    if (this.failedAt < 0) this.failedAt = at;
    this.at = this.octets.length;
    this.high = 0;
    return 0;
  }
}
