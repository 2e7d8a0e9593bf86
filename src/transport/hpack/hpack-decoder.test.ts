import { describe, expect, it } from 'vitest';
import { HpackDecoder } from './hpack-decoder.ts';

/** The fields of a block as `name=value`, or undefined for a COMPRESSION_ERROR. */
function decode(decoder: HpackDecoder, block: string | Buffer): string[] | undefined {
  const octets = typeof block === 'string' ? Buffer.from(block.replaceAll(' ', ''), 'hex') : block;
  const fields: string[] = [];
  const sink = { field: (name: string, value: string) => fields.push(`${name}=${value}`) };
  return decoder.decode(octets, 0, octets.length, sink) ? fields : undefined;
}

/** A decoder whose table has two entries: 62 is `b=2`, 63 is `a=1`. */
function usedDecoder(): HpackDecoder {
  const decoder = new HpackDecoder();
  expect(decode(decoder, '400161 0131 400162 0132')).toEqual(['a=1', 'b=2']);
  return decoder;
}

describe('representations: RFC 7541, 6', () => {
  it.each([
    ['an empty block', '', []],
    ['an indexed field', '82', [':method=GET']],
    ['the last field of the static table', 'bd', ['www-authenticate=']],
    ['the newest entry', 'be', ['b=2']],
    ['the oldest entry', 'bf', ['a=1']],
    ['a name of the static table, with indexing', '44 012f be bf', [':path=/', ':path=/', 'b=2']],
    ['a name of the dynamic table, with indexing', '7f00 0133 be c0', ['a=3', 'a=3', 'a=1']],
    ['a name of the static table, without indexing', '04 012f be', [':path=/', 'b=2']],
    ['a name of the dynamic table, without indexing', '0f30 0133 be', ['a=3', 'b=2']],
    ['a new name, without indexing', '00 0163 0133 be', ['c=3', 'b=2']],
    ['a new name, never indexed', '10 0163 0133 be', ['c=3', 'b=2']],
    ['a name of the dynamic table, never indexed', '1f30 0133 be', ['a=3', 'b=2']],
    ['empty texts', '40 00 00 be', ['=', '=']],
    ['texts with any octets', '00 02 00ff 02 e9 0a', ['\0\xff=\xe9\n']],
    ['a size update alone', '20', []],
  ])('%s', (_, block, fields) => {
    expect(decode(usedDecoder(), block)).toEqual(fields);
  });
});

describe('what ends the connection, and what just does not', () => {
  it.each([
    ['the first index', '81', '80'],
    ['the first index as a name', '41 00', '00 00'],
    ['the last index', 'bf', 'c0'],
    ['the last index as a name', '0f30 00', '0f31 00'],
    ['an integer with five octets after the prefix, and with six', '3f8080808000 82', '3f808080808000 82'],
    ['a size update to the bound, and above it', '3fe11f 82', '3fe21f 82'],
    ['a size update at the start, and later', '20 82', '82 20'],
    ['a field, and a size update that could be one', '82 10 0161 00', '82 20 0161 00'],
    ['the same with the last such octet', '82 1f00 00', '82 3f00 00'],
    ['two size updates, and three', '20 21 82', '20 21 22 82'],
    ['a size update between others and fields, and after them', '2020 82', '20 82 20'],
    ['a name of one octet, and one octet less', '00 0161 00', '00 01'],
    ['a value of one octet, and one octet less', '04 0161', '04 01'],
    ['a value, and none', '04 00', '04'],
    ['a name and a value, and only a name', '40 0161 00', '40 0161'],
    ['an index with its second octet, and without', '0f00 00', '0f'],
    ['a length with its second octet, and without', `04 7f00 ${'61'.repeat(127)}`, '04 7f'],
    ['a size update with its second octet, and without', '3f00', '3f'],
    ['Huffman padding of ones, and with a zero', '04 811f', '04 811e'],
    ['a Huffman name, and one with EOS', '00 811f 00', '00 84ffffffff 00'],
    ['a Huffman value, and one of nothing but padding', '04 80', '04 81ff'],
  ])('%s', (_, valid, invalid) => {
    expect(decode(usedDecoder(), valid)).toBeDefined();
    expect(decode(usedDecoder(), invalid)).toBeUndefined();
  });

  it('an index of two octets: the last, and the next', () => {
    const decoder = new HpackDecoder();
    expect(decode(decoder, '400000'.repeat(67))).toHaveLength(67);
    expect(decode(decoder, 'ff01')).toEqual(['=']);
    expect(decode(decoder, 'ff02')).toBeUndefined();
  });

  it('an entry that was evicted has no index any more', () => {
    const decoder = usedDecoder();
    expect(decode(decoder, '3f03')).toEqual([]);
    expect(decode(decoder, 'be')).toEqual(['b=2']);
    expect(decode(decoder, 'bf')).toBeUndefined();
  });
});

describe('the table', () => {
  it('keeps a field whose name is evicted by it: RFC 7541, 4.4', () => {
    const decoder = new HpackDecoder(64);
    expect(decode(decoder, '40 0161 0131')).toEqual(['a=1']);
    expect(decode(decoder, '7e 0132 be')).toEqual(['a=2', 'a=2']);
  });

  it('is emptied by a field that is too large, which is no error: RFC 7541, 4.4', () => {
    const decoder = new HpackDecoder(34);
    expect(decode(decoder, '40 0161 0131 be')).toEqual(['a=1', 'a=1']);
    expect(decode(decoder, '40 0161 023131')).toEqual(['a=11']);
    expect(decode(decoder, 'be')).toBeUndefined();
  });

  it('is emptied between two size updates: RFC 7541, 4.2', () => {
    const decoder = usedDecoder();
    expect(decode(decoder, '20 3fe11f 400163 0133 be')).toEqual(['c=3', 'c=3']);
    expect(decode(decoder, 'bf')).toBeUndefined();
  });

  it('of no size takes no entry', () => {
    const decoder = new HpackDecoder(0);
    expect(decode(decoder, '20 40 0161 0131')).toEqual(['a=1']);
    expect(decode(decoder, 'be')).toBeUndefined();
    expect(decode(new HpackDecoder(0), '21')).toBeUndefined();
  });

  it('outlives the octets of its blocks', () => {
    const decoder = new HpackDecoder();
    const block = Buffer.from(`40 01 61 14 ${'62'.repeat(20)}`.replaceAll(' ', ''), 'hex');
    expect(decode(decoder, block)).toHaveLength(1);
    block.fill(0);
    expect(decode(decoder, 'be')).toEqual([`a=${'b'.repeat(20)}`]);
  });

  it('has a generation, which changes exactly with it', () => {
    const decoder = usedDecoder();
    const before = decoder.generation;
    for (const block of ['82bebf', '04012f', '0f300133', '100163 00', '3fe11f']) {
      expect(decode(decoder, block)).toBeDefined();
      expect(decoder.generation).toBe(before);
    }
    expect(decode(decoder, '44012f')).toBeDefined();
    const added = decoder.generation;
    expect(added).not.toBe(before);
    expect(decode(decoder, '3fe01f')).toEqual([]);
    expect(decoder.generation).not.toBe(added);
  });
});

describe('a hostile block', () => {
  it('of octets that are all fields is decoded to its end', () => {
    const decoder = new HpackDecoder();
    const value = 'x'.repeat(4_000);
    expect(decode(decoder, Buffer.from(`@\x01a\x7f\xa1\x1e${value}`, 'latin1'))).toEqual([`a=${value}`]);
    const block = Buffer.alloc(65_536, 0xbe);
    let [fields, characters] = [0, 0];
    const sink = {
      field: (name: string, text: string) => {
        fields += 1;
        characters += name.length + text.length;
      },
    };
    expect(decoder.decode(block, 0, block.length, sink)).toBe(true);
    expect([fields, characters]).toEqual([65_536, 65_536 * 4_001]);
  });

  it('gives its valid fields to the sink before the connection ends', () => {
    const names: string[] = [];
    const block = Buffer.of(0x82, 0x84, 0x80);
    expect(new HpackDecoder().decode(block, 0, 3, { field: (name) => names.push(name) })).toBe(false);
    expect(names).toEqual([':method', ':path']);
  });
});
