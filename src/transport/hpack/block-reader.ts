import { huffmanText } from './huffman.ts';

const largestInteger = 2 ** 31 - 1;

/** Reads the integers and texts of a header block from front to back: RFC 7541, 5. It never reads at or after `end`. */
export class BlockReader {
  /** Offset of the next octet. */
  at: number;
  readonly end: number;
  readonly octets: Buffer;

  constructor(octets: Buffer, start: number, end: number) {
    this.octets = octets;
    this.at = start;
    this.end = end;
  }

  /** The integer that begins in the bits `mask` of the next octet: RFC 7541, 5.1. -1 when there is none. */
  integer(mask: number): number {
    if (this.at >= this.end) return -1;
    const prefix = (this.octets[this.at++] as number) & mask;
    return prefix < mask ? prefix : this.#longInteger(prefix);
  }

  /** A string literal: RFC 7541, 5.2. Undefined when there is none. */
  text(): string | undefined {
    const form = this.at;
    const length = this.integer(0x7f);
    const start = this.at;
    if (length < 0 || length > this.end - start) return undefined;
    this.at += length;
    if ((this.octets[form] as number) >= 0x80) return huffmanText(this.octets, start, this.at);
    return this.octets.toString('latin1', start, this.at);
  }

  /** Five octets after the prefix hold all that is allowed; without a limit, zeros might follow without an end. */
  #longInteger(prefix: number): number {
    let value = prefix;
    for (let shift = 0; shift <= 28 && this.at < this.end; shift += 7) {
      const octet = this.octets[this.at++] as number;
      value += (octet & 0x7f) * 2 ** shift;
      if (octet < 0x80) return value <= largestInteger ? value : -1;
    }
    return -1;
  }
}
