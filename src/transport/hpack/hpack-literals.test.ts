import { describe, expect, it } from 'vitest';
import { HpackDecoder } from './hpack-decoder.ts';
import { indexed, literal, neverIndexed, sizeUpdate } from './hpack-literals.ts';

/** The fields of a block that must not change the decoder's table. */
function decode(...parts: Buffer[]): string[][] {
  const decoder = new HpackDecoder();
  const block = Buffer.concat(parts);
  const fields: string[][] = [];
  const sink = { field: (name: string, value: string) => fields.push([name, value]) };
  expect(decoder.decode(block, 0, block.length, sink)).toBe(true);
  expect(decoder.generation).toBe(0);
  return fields;
}

it.each([
  ['a field of the static table', indexed(8), '88'],
  ['a name of the static table', literal(':path', '/sample/path'), '040c2f73616d706c652f70617468'],
  ['the first name of the static table', literal(':authority', 'a'), '010161'],
  ['a name whose index exceeds the prefix', literal('content-type', 'a'), '0f100161'],
  ['a name whose index just does', literal('accept-charset', ''), '0f0000'],
  ['a name that has several indices', literal(':status', '415'), '0803343135'],
  ['a name of its own', literal('ab', 'c'), '000261620163'],
  ['a value of octets', literal('ab', Buffer.of(0, 255)), '000261620200ff'],
  ['a value of latin1', literal('ab', '\xe9'), '0002616201e9'],
  ['a secret', neverIndexed('password', 'secret'), '100870617373776f726406736563726574'],
  ['a secret with a name of the static table', neverIndexed('authorization', 'x'), '1f080178'],
  ['a size update', sizeUpdate(0), '20'],
  ['a larger size update', sizeUpdate(4_096), '3fe11f'],
])('%s', (_, octets, hex) => {
  expect(octets.toString('hex')).toBe(hex);
});

describe('blocks', () => {
  it('are what a decoder makes of them', () => {
    expect(decode(indexed(8), literal('content-type', 'application/grpc'), neverIndexed('x', 'y'))).toEqual([
      [':status', '200'],
      ['content-type', 'application/grpc'],
      ['x', 'y'],
    ]);
  });

  it.each([0, 126, 127, 128, 254, 255, 256, 16_510, 16_511, 100_000])(
    'hold a text of %d octets',
    (length) => {
      const text = 'x'.repeat(length);
      expect(decode(literal(text, text), neverIndexed('grpc-message', Buffer.from(text)))).toEqual([
        [text, text],
        ['grpc-message', text],
      ]);
    },
  );
});
