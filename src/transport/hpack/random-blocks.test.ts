import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HpackDecoder } from './hpack-decoder.ts';
import { huffmanCodes } from './huffman-code.ts';
import { staticTable } from './static-table.ts';

type Fields = [name: string, value: string][];

/** A field, and how it is to be written where that is possible. */
interface Choice {
  name: string;
  value: string;
  form: 'indexed' | 'with indexing' | 'without indexing' | 'never indexed';
  nameByIndex: boolean;
  huffmanName: boolean;
  huffmanValue: boolean;
}

interface Block {
  sizeUpdates: number[];
  choices: Choice[];
}

const huffmanBits = huffmanCodes()
  .sort((a, b) => a.symbol - b.symbol)
  .map(({ code, length }) => code.toString(2).padStart(length, '0'));

function huffman(octets: Buffer): Buffer {
  const bits = [...octets].map((octet) => huffmanBits[octet]).join('');
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((one) => Number.parseInt(one.padEnd(8, '1'), 2)));
}

function integer(form: number, prefixBits: number, value: number): number[] {
  const most = 2 ** prefixBits - 1;
  if (value < most) return [form + value];
  const octets = [form + most];
  for (value -= most; value >= 128; value = Math.floor(value / 128)) octets.push((value % 128) + 128);
  return [...octets, value];
}

function text(value: string, useHuffman: boolean): number[] {
  const plain = Buffer.from(value, 'latin1');
  const octets = useHuffman ? huffman(plain) : plain;
  return [...integer(useHuffman ? 0x80 : 0, 7, octets.length), ...octets];
}

/** A plain encoder that keeps its table as a list, and does what it is told. */
class Encoder {
  table: Fields = [];
  bound: number;

  constructor(bound: number) {
    this.bound = bound;
  }

  encode({ sizeUpdates, choices }: Block): Buffer {
    const updates = sizeUpdates.flatMap((size) => {
      this.bound = size;
      this.evict();
      return integer(0x20, 5, size);
    });
    return Buffer.from([...updates, ...choices.flatMap((choice) => this.field(choice))]);
  }

  field({ name, value, form, nameByIndex, huffmanName, huffmanValue }: Choice): number[] {
    const all = [...staticTable, ...this.table];
    const index = 1 + all.findIndex((field) => field[0] === name && field[1] === value);
    if (form === 'indexed' && index > 0) return integer(0x80, 7, index);
    const nameIndex = nameByIndex ? 1 + all.findLastIndex((field) => field[0] === name) : 0;
    const rest = [...(nameIndex > 0 ? [] : text(name, huffmanName)), ...text(value, huffmanValue)];
    if (form === 'without indexing') return [...integer(0x00, 4, nameIndex), ...rest];
    if (form === 'never indexed') return [...integer(0x10, 4, nameIndex), ...rest];
    this.table.unshift([name, value]);
    this.evict();
    return [...integer(0x40, 6, nameIndex), ...rest];
  }

  evict(): void {
    const size = () => this.table.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
    while (size() > this.bound) this.table.pop();
  }
}

const anyText = fc.string({ unit: fc.nat(255).map((octet) => String.fromCharCode(octet)), maxLength: 150 });
const someName = fc.oneof(fc.constantFrom(...staticTable.map(([name]) => name), 'a', 'b', 'c'), anyText);
const someValue = fc.oneof(fc.constantFrom('', 'GET', '200', '1'), anyText);

function blocksWithin(bound: number): fc.Arbitrary<Block[]> {
  const choice: fc.Arbitrary<Choice> = fc.record({
    name: someName,
    value: someValue,
    form: fc.constantFrom('indexed', 'with indexing', 'without indexing', 'never indexed'),
    nameByIndex: fc.boolean(),
    huffmanName: fc.boolean(),
    huffmanValue: fc.boolean(),
  });
  const sizeUpdates = fc.oneof(
    { arbitrary: fc.constant<number[]>([]), weight: 3 },
    { arbitrary: fc.array(fc.nat(bound), { maxLength: 2 }), weight: 1 },
  );
  return fc.array(fc.record({ sizeUpdates, choices: fc.array(choice, { maxLength: 12 }) }), { maxLength: 8 });
}

function decode(decoder: HpackDecoder, octets: Buffer, start: number, end: number) {
  const fields: Fields = [];
  const valid = decoder.decode(octets, start, end, { field: (name, value) => fields.push([name, value]) });
  return { valid, fields };
}

describe('an encoder and the decoder agree', () => {
  it.each([4_096, 256, 100, 0])('with a table of %d octets', (bound) => {
    fc.assert(
      fc.property(blocksWithin(bound), (blocks) => {
        const encoder = new Encoder(bound);
        const decoder = new HpackDecoder(bound);
        for (const block of blocks) {
          const octets = encoder.encode(block);
          const fields = block.choices.map(({ name, value }) => [name, value]);
          expect(decode(decoder, octets, 0, octets.length)).toEqual({ valid: true, fields });
        }
      }),
      { numRuns: 300 },
    );
  });
});

/**
 * Decodes the octets alone and in the middle of others, which must not matter; tables are filled before.
 * Whatever the octets are: no exception, and not more fields than octets.
 */
function expectNoEscape(before: Buffer, octets: Buffer): void {
  const results = [Buffer.alloc(0), Buffer.alloc(200, 0x00), Buffer.alloc(200, 0xff)].map((around) => {
    const decoder = new HpackDecoder();
    decode(decoder, before, 0, before.length);
    const all = Buffer.concat([around, octets, around]);
    return decode(decoder, all, around.length, around.length + octets.length);
  });
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
  expect(results[0]?.fields.length).toBeLessThanOrEqual(octets.length);
}

describe('octets that no encoder wrote are not read beyond their end', () => {
  const twoBlocks = blocksWithin(4_096).map((blocks) => {
    const encoder = new Encoder(4_096);
    const [first, ...others] = blocks.map((block) => encoder.encode(block));
    return { before: first ?? Buffer.alloc(0), octets: Buffer.concat(others) };
  });

  it('random ones', () => {
    fc.assert(
      fc.property(twoBlocks, fc.uint8Array({ maxLength: 60 }), ({ before }, octets) => {
        expectNoEscape(before, Buffer.from(octets));
      }),
      { numRuns: 1_000 },
    );
  });

  it('blocks that are cut', () => {
    fc.assert(
      fc.property(twoBlocks, fc.nat(), ({ before, octets }, at) => {
        expectNoEscape(before, octets.subarray(0, at % (octets.length + 1)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('blocks with octets that are changed', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(twoBlocks, changes, ({ before, octets }, places) => {
        const changed = Buffer.from(octets);
        for (const [at, octet] of places) if (octets.length > 0) changed[at % octets.length] = octet;
        expectNoEscape(before, changed);
      }),
      { numRuns: 1_000 },
    );
  });
});
