/** What a header block says about an answer, as bits. */
export const says = { status200: 1, statusOther: 2, grpcStatusOk: 4, grpcStatusOther: 8 } as const;

/** RFC 7541, appendix A: `:status` with seven values is from here; the first of them is 200. */
const staticStatus200 = 8;
const lastStaticStatus = 14;
const staticLength = 61;

/** No more fields than this fit into a table of 4,096 octets, as each counts 32 and more. */
const tableFields = 128;

/** Each string, plain and with Huffman coding, with its length before it. */
const encodings = {
  grpcStatus: [Buffer.from('\x0bgrpc-status'), Buffer.from('889acac8b21234da8f', 'hex')],
  zero: [Buffer.from('\x010'), Buffer.from('8107', 'hex')],
  twoHundred: [Buffer.from('\x03200'), Buffer.from('821001', 'hex')],
};

/**
 * Reads the header blocks of one connection, as far as it takes to see whether a call succeeded. Of HPACK
 * (RFC 7541) it keeps only what each field of the dynamic table says, not the field. That a table also loses
 * its oldest fields does not matter: nobody refers to these.
 */
export class AnswerBlocks {
  readonly #table = new Uint8Array(tableFields);
  #inserted = 0;
  #octets: Buffer = Buffer.alloc(0);
  #at = 0;
  #to = 0;

  /** @returns what the fields of this block say together, of `says` */
  read(octets: Buffer, from: number, to: number): number {
    this.#octets = octets;
    this.#at = from;
    this.#to = to;
    let said = 0;
    while (this.#at < to) said |= this.#readField();
    return said;
  }

  #readField(): number {
    const first = this.#octets[this.#at] ?? 0;
    if (first >= 0x80) return this.#saidByIndex(this.#readInteger(7));
    if (first >= 0x40) {
      const said = this.#readLiteral(6);
      this.#table[this.#inserted++ % tableFields] = said;
      return said;
    }
    if (first >= 0x20) {
      this.#readInteger(5); // a new size of the table
      return 0;
    }
    return this.#readLiteral(4);
  }

  #saidByIndex(index: number): number {
    if (index > staticLength) {
      return this.#table[(this.#inserted - (index - staticLength)) % tableFields] ?? 0;
    }
    if (index === staticStatus200) return says.status200;
    return index > staticStatus200 && index <= lastStaticStatus ? says.statusOther : 0;
  }

  /** @param prefix bits of the first octet with the index of the name, which is 0 where the name follows */
  #readLiteral(prefix: number): number {
    const index = this.#readInteger(prefix);
    const named = index === 0 ? this.#readName() : this.#saidByIndex(index);
    const from = this.#at;
    this.#skipString();
    if ((named & (says.status200 | says.statusOther)) !== 0) {
      return this.#isAt(from, encodings.twoHundred) ? says.status200 : says.statusOther;
    }
    if ((named & (says.grpcStatusOk | says.grpcStatusOther)) === 0) return 0;
    return this.#isAt(from, encodings.zero) ? says.grpcStatusOk : says.grpcStatusOther;
  }

  #readName(): number {
    const from = this.#at;
    this.#skipString();
    return this.#isAt(from, encodings.grpcStatus) ? says.grpcStatusOther : 0;
  }

  #skipString(): void {
    const length = this.#readInteger(7);
    this.#at += length;
    if (this.#at > this.#to) throw new Error('a header block ends within a field');
  }

  /** Whether the string that goes from there to where reading has come is one of these. */
  #isAt(from: number, strings: readonly Buffer[]): boolean {
    const length = this.#at - from;
    for (const string of strings) {
      if (string.length === length && string.compare(this.#octets, from, this.#at) === 0) return true;
    }
    return false;
  }

  /** RFC 7541, section 5.1. */
  #readInteger(prefix: number): number {
    const most = (1 << prefix) - 1;
    let value = (this.#octets[this.#at++] ?? 0) & most;
    if (value < most) return value;
    for (let shift = 0; shift < 28; shift += 7) {
      const octet = this.#octets[this.#at++] ?? 0;
      value += (octet & 0x7f) << shift;
      if (octet < 0x80) return value;
    }
    throw new Error('a header block has an integer that is too long');
  }
}
