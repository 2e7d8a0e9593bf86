import { endOfString, huffmanCodes } from './huffman-code.ts';

/**
 * A state is an inner node of the code's tree, which is where a text may be between two nibbles. A code has at least 5
 * bits, so that a nibble ends at most one.
 */
const inner = endOfString;
/** After the code of EOS, which is an error: the state that is never left. */
const broken = inner;
/** Where text may end: at the root, or up to 7 bits into the code of EOS, whose nodes have the first numbers. */
const lastFinal = 7;

/**
 * Where a nibble leads from a state: at `state << 4 | nibble`, the next state times 16 from bit 9 on, whether a symbol
 * ends in bit 8, and that symbol below.
 */
const transitions = buildTransitions();

function buildTransitions(): Int32Array {
  const children = buildTree();
  const table = new Int32Array((inner + 1) * 16).fill(broken << 13);
  for (let row = 0; row < inner * 16; row++) {
    let state = row >>> 4;
    let symbol = 0;
    for (let bit = 3; bit >= 0 && state !== broken; bit--) {
      const child = children[state * 2 + ((row >>> bit) & 1)] as number;
      if (child < 0) symbol = 0x100 | ~child;
      state = child >= 0 ? child : ~child === endOfString ? broken : 0;
    }
    table[row] = (state << 13) | symbol;
  }
  return table;
}

/** The children of node n at 2n and 2n + 1: the number of an inner node, or the complement of a symbol. */
function buildTree(): Int16Array {
  const children = new Int16Array(inner * 2);
  let nodes = 1;
  // EOS comes first and all its bits are ones: its nodes are 0 to 29.
  for (const { symbol, code, length } of huffmanCodes().reverse()) {
    let place = 0;
    for (let bit = length - 1; bit >= 0; bit--) {
      place = place * 2 + ((code >>> bit) & 1);
      if (bit === 0) break;
      if (children[place] === 0) children[place] = nodes++;
      place = children[place] as number;
    }
    children[place] = ~symbol;
  }
  return children;
}

const commonLength = 4_096;
/** Where texts of a common length are put together. */
const scratch = Buffer.allocUnsafeSlow(commonLength);

/** The text in octets[start, end), or undefined where it is no Huffman code: RFC 7541, 5.2. */
export function huffmanText(octets: Uint8Array, start: number, end: number): string | undefined {
  // Codes of 5 bits give 8 characters for 5 octets. What is written after the last one needs a place, too.
  const most = (end - start) * 2;
  const text = most <= commonLength ? scratch : Buffer.allocUnsafeSlow(most);
  let length = 0;
  let row = 0;
  for (let at = start; at < end; at++) {
    const octet = octets[at] as number;
    const first = transitions[row | (octet >>> 4)] as number;
    // An octet of the buffer takes the lowest 8 bits, which are the symbol.
    text[length] = first;
    length += (first >>> 8) & 1;
    const second = transitions[(first >>> 9) | (octet & 0xf)] as number;
    text[length] = second;
    length += (second >>> 8) & 1;
    row = second >>> 9;
  }
  return row >>> 4 <= lastFinal ? text.toString('latin1', 0, length) : undefined;
}
