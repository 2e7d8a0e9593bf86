/** The symbol that no text may contain: only the front of its code, as padding. The symbols below are the octets. */
export const endOfString = 256;

/** How many bits each symbol's code has: RFC 7541, Appendix B. */
const lengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7,
  8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
  13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
  28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
  22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23,
  22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
  25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];

/** A symbol's code: the lowest `length` bits of `code`, of which the highest comes first. */
export interface HuffmanCode {
  readonly symbol: number;
  readonly code: number;
  readonly length: number;
}

/**
 * The code of every symbol. It is canonical, so that the lengths say it all: ordered by length, and by number where
 * lengths are equal, the symbols have codes that count upwards.
 */
export function huffmanCodes(): HuffmanCode[] {
  const codes: HuffmanCode[] = [];
  let code = 0;
  for (let length = 1; length <= 30; length++) {
    code *= 2;
    for (let symbol = 0; symbol <= endOfString; symbol++) {
      if (lengths[symbol] === length) codes.push({ symbol, code: code++, length });
    }
  }
  return codes;
}
