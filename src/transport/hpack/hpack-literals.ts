import { staticTable } from './static-table.ts';

/**
 * Parts of header blocks that need no state, neither here nor at the peer: none of them refers to the dynamic table or
 * adds to it. They are made at start-up and put together into blocks. Texts hold one character per octet (latin1).
 */

/** A field of the static table: RFC 7541, 6.1. */
export function indexed(index: number): Buffer {
  return integer(0x80, 0x7f, index);
}

/** A field that nobody between here and the peer should index, or compress: RFC 7541, 6.2.3. For secrets. */
export function neverIndexed(name: string, value: string | Uint8Array): Buffer {
  return literalOf(0x10, name, value);
}

/** A field as it is: RFC 7541, 6.2.2. */
export function literal(name: string, value: string | Uint8Array): Buffer {
  return literalOf(0x00, name, value);
}

/** The dynamic table's new bound, for the beginning of a block: RFC 7541, 6.3. */
export function sizeUpdate(bound: number): Buffer {
  return integer(0x20, 0x1f, bound);
}

function literalOf(form: number, name: string, value: string | Uint8Array): Buffer {
  const index = 1 + staticTable.findIndex(([known]) => known === name);
  const head = integer(form, 0x0f, index);
  return Buffer.concat(index > 0 ? [head, text(value)] : [head, text(name), text(value)]);
}

/** Without Huffman code: it would save a few octets of short texts, and cost time for those that are not constant. */
function text(value: string | Uint8Array): Buffer {
  const octets = typeof value === 'string' ? Buffer.from(value, 'latin1') : value;
  return Buffer.concat([integer(0x00, 0x7f, octets.length), octets]);
}

/** An integer that begins in the bits `mask` of an octet of the form: RFC 7541, 5.1. */
function integer(form: number, mask: number, value: number): Buffer {
  if (value < mask) return Buffer.of(form | value);
  const octets = [form | mask];
  let rest = value - mask;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) octets.push(0x80 | (rest & 0x7f));
  octets.push(rest);
  return Buffer.from(octets);
}
