import { huffmanCodes } from '../../../src/transport/hpack/huffman-code.ts';
import { type HeaderField, staticTable } from '../../../src/transport/hpack/static-table.ts';
import type { OctetWriter } from '../../../src/transport/octet-writer.ts';
import type { Random } from '../random.ts';

const overhead = 32;
const largestBound = 4_096;
const codes = huffmanCodes().sort((a, b) => a.symbol - b.symbol);
const staticIndex = new Map(staticTable.map(([name, value], index) => [`${name}\n${value}`, index + 1]));
const staticNames = new Map([...staticTable].map(([name], index) => [name, index + 1] as const).reverse());

/** Writes header blocks in all the ways that RFC 7541 has, at random: by index, by name, with the table and without. */
export class HpackWriter {
  readonly #random: Random;
  /**
   * Only paths go into the table, and all else is always written in the same way: then equal octets can be different
   * requests, as many clients have it that write in one way only.
   */
  readonly #isPlain: boolean;
  /** The newest comes first. */
  readonly #table: HeaderField[] = [];
  #size = 0;
  #bound = largestBound;

  constructor(random: Random) {
    this.#random = random;
    this.#isPlain = random.oneIn(6);
  }

  block(fields: readonly HeaderField[], out: OctetWriter): void {
    if (this.#random.oneIn(25)) this.#sizeUpdates(out);
    for (const field of fields) {
      if (this.#isPlain && field[0] !== ':path') putPlain(field, out);
      else this.#field(field, out);
    }
  }

  /** At most two at the beginning of a block: RFC 7541, 4.2. */
  #sizeUpdates(out: OctetWriter): void {
    for (let count = this.#random.between(1, 2); count > 0; count--) {
      this.#bound = this.#random.oneIn(2) ? largestBound : this.#random.size(largestBound);
      this.#evict(this.#bound);
      putInteger(out, 0x20, 0x1f, this.#bound);
    }
  }

  #field(field: HeaderField, out: OctetWriter): void {
    const [name, value] = field;
    const random = this.#random;
    const index = random.oneIn(5) && !this.#isPlain ? 0 : this.#indexOf(field);
    if (index > 0) {
      putInteger(out, 0x80, 0x7f, index);
      return;
    }
    const nameIndex = random.oneIn(5) ? 0 : this.#nameIndexOf(name);
    const form = this.#isPlain ? 0 : random.below(4);
    if (form < 2) putInteger(out, 0x40, 0x3f, nameIndex);
    else putInteger(out, form === 2 ? 0x00 : 0x10, 0x0f, nameIndex);
    if (nameIndex === 0) this.#text(name, out);
    this.#text(value, out);
    if (form < 2) this.#add(field);
  }

  #indexOf([name, value]: HeaderField): number {
    const known = staticIndex.get(`${name}\n${value}`);
    if (known !== undefined) return known;
    const place = this.#table.findIndex((entry) => entry[0] === name && entry[1] === value);
    return place < 0 ? 0 : staticTable.length + 1 + place;
  }

  #nameIndexOf(name: string): number {
    const place = this.#table.findIndex((entry) => entry[0] === name);
    if (place >= 0 && this.#random.oneIn(2)) return staticTable.length + 1 + place;
    return staticNames.get(name) ?? 0;
  }

  #text(text: string, out: OctetWriter): void {
    // A code may be four times as long as its octet: longer texts would break the limit of blocks.
    if (text.length < 200 && this.#random.oneIn(2)) putHuffman(text, out);
    else putText(text, out);
  }

  #add(field: HeaderField): void {
    const size = sizeOf(field);
    this.#evict(this.#bound - size);
    if (size > this.#bound) return;
    this.#table.unshift(field);
    this.#size += size;
  }

  #evict(bound: number): void {
    while (this.#size > bound && this.#table.length > 0)
      this.#size -= sizeOf(this.#table.pop() as HeaderField);
  }
}

function sizeOf([name, value]: HeaderField): number {
  return name.length + value.length + overhead;
}

function putPlain([name, value]: HeaderField, out: OctetWriter): void {
  putInteger(out, 0x00, 0x0f, 0);
  putText(name, out);
  putText(value, out);
}

function putText(text: string, out: OctetWriter): void {
  putInteger(out, 0x00, 0x7f, text.length);
  out.bytes(Buffer.from(text, 'latin1'));
}

function putInteger(out: OctetWriter, form: number, mask: number, value: number): void {
  out.octet(form | Math.min(value, mask));
  if (value < mask) return;
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) out.octet(0x80 | (rest & 0x7f));
  out.octet(rest);
}

function putHuffman(text: string, out: OctetWriter): void {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits += (codes[text.charCodeAt(i)] as { length: number }).length;
  putInteger(out, 0x80, 0x7f, (bits + 7) >>> 3);
  let octet = 0;
  let filled = 0;
  for (let i = 0; i < text.length; i++) {
    const { code, length } = codes[text.charCodeAt(i)] as { code: number; length: number };
    for (let bit = length - 1; bit >= 0; bit--) {
      octet = (octet << 1) | ((code >>> bit) & 1);
      if (++filled < 8) continue;
      out.octet(octet);
      octet = 0;
      filled = 0;
    }
  }
  if (filled > 0) out.octet((octet << (8 - filled)) | (0xff >>> filled));
}
