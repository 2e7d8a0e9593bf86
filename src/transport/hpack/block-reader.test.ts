import { describe, expect, it } from 'vitest';
import { BlockReader } from './block-reader.ts';

/** A reader of these octets in the middle of others. */
function readerOf(hex: string): BlockReader {
  const octets = Buffer.from(`0101${hex}0101`, 'hex');
  return new BlockReader(octets, 2, octets.length - 2);
}

describe('integer', () => {
  it.each([
    ['C.1.1', '0a', 0x1f, 10],
    ['C.1.2', '1f9a0a', 0x1f, 1_337],
    ['C.1.3', '2a', 0xff, 42],
    ['the largest of a prefix', 'fe', 0x7f, 126],
    ['the smallest beyond a prefix', 'ff00', 0x7f, 127],
    ['bits outside the prefix', 'ea', 0x0f, 10],
    ['a zero that is written with five octets', '7f8080808000', 0x7f, 127],
    ['2^31 - 1', 'ff80ffffff07', 0x7f, 2 ** 31 - 1],
    ['2^31', 'ff81ffffff07', 0x7f, -1],
    ['35 bits of ones', 'ffffffffff7f', 0x7f, -1],
    ['six octets', 'ff808080808000', 0x7f, -1],
    ['no octet', '', 0x7f, -1],
    ['a prefix without what follows', 'ff', 0x7f, -1],
    ['what follows without an end', 'ff8080', 0x7f, -1],
  ])('%s', (_, hex, mask, value) => {
    const reader = readerOf(hex);
    expect(reader.integer(mask)).toBe(value);
    if (value >= 0) expect(reader.at).toBe(reader.end);
  });
});

describe('text', () => {
  it.each([
    ['no characters', '00', ''],
    ['octets as they are', '0361ff00', 'a\xff\0'],
    ['a Huffman code', '8283ff', undefined],
    ['a Huffman code of a character', '811f', 'a'],
    ['a Huffman code of nothing', '80', ''],
    ['all that there is', '026161', 'aa'],
    ['one more than there is', '036161', undefined],
    ['a Huffman code of one more than there is', '821f', undefined],
    ['a length of 2^31 - 1', '7f80ffffff07', undefined],
    ['no length', '', undefined],
    ['half a length', '7f', undefined],
  ])('%s', (_, hex, text) => {
    const reader = readerOf(hex);
    expect(reader.text()).toBe(text);
    if (text !== undefined) expect(reader.at).toBe(reader.end);
  });
});
