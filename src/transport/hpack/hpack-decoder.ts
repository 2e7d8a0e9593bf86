import { BlockReader } from './block-reader.ts';
import { DynamicTable } from './dynamic-table.ts';
import { type HeaderField, staticTable } from './static-table.ts';

/** Takes the fields of a header list as they are decoded, in order. Texts hold one character per octet (latin1). */
export interface HeaderSink {
  field(name: string, value: string): void;
}

/** What SETTINGS_HEADER_TABLE_SIZE is where it is not sent: RFC 9113, 6.5.2. */
const defaultTableSize = 4_096;

/** Decodes the header blocks of one connection, all of them and in order: RFC 7541. */
export class HpackDecoder {
  readonly #table: DynamicTable;

  /** @param maxTableSize our SETTINGS_HEADER_TABLE_SIZE, as acknowledged */
  constructor(maxTableSize: number = defaultTableSize) {
    this.#table = new DynamicTable(maxTableSize);
  }

  /**
   * Changes whenever the content or the size bound of the dynamic table changes: what was decoded from equal octets
   * stays valid while it is equal.
   */
  get generation(): number {
    return this.#table.generation;
  }

  /**
   * Decodes a complete header block octets[start, end). Returns false on a COMPRESSION_ERROR (RFC 9113, 4.3): the
   * connection can't go on. The sink limits what is kept; a list is as long as its block says.
   */
  decode(octets: Buffer, start: number, end: number, sink: HeaderSink): boolean {
    const block = new BlockReader(octets, start, end);
    if (!this.#sizeUpdates(block)) return false;
    while (block.at < end) {
      const form = octets[block.at] as number;
      if (!(form >= 0x80 ? this.#indexed(block, sink) : this.#literal(block, form, sink))) return false;
    }
    return true;
  }

  /** At most two, for the smallest bound since the last block and for the one that holds: RFC 7541, 4.2. */
  #sizeUpdates(block: BlockReader): boolean {
    for (let updates = 0; block.at < block.end; updates++) {
      if (((block.octets[block.at] as number) & 0xe0) !== 0x20) return true;
      const bound = block.integer(0x1f);
      if (bound < 0 || updates === 2 || !this.#table.resize(bound)) return false;
    }
    return true;
  }

  /** RFC 7541, 6.1. */
  #indexed(block: BlockReader, sink: HeaderSink): boolean {
    const field = this.#fieldAt(block.integer(0x7f));
    if (field === undefined) return false;
    sink.field(field[0], field[1]);
    return true;
  }

  /** RFC 7541, 6.2. To a server, a field that is never to be indexed is like one that is not indexed here. */
  #literal(block: BlockReader, form: number, sink: HeaderSink): boolean {
    // A size update which is not at the start.
    if (form >= 0x20 && form < 0x40) return false;
    const index = block.integer(form >= 0x40 ? 0x3f : 0x0f);
    const name = index === 0 ? block.text() : this.#fieldAt(index)?.[0];
    if (name === undefined) return false;
    const value = block.text();
    if (value === undefined) return false;
    if (form >= 0x40) this.#table.add(name, value);
    sink.field(name, value);
    return true;
  }

  /** The field with an index of RFC 7541, 2.3.3. Undefined for 0, and for -1, which is no integer. */
  #fieldAt(index: number): HeaderField | undefined {
    if (index <= 0) return undefined;
    if (index <= staticTable.length) return staticTable[index - 1];
    return this.#table.at(index - staticTable.length - 1);
  }
}
