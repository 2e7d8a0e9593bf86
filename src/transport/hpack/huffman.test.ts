import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { huffmanText } from './huffman.ts';
import { endOfString, huffmanCodes } from './huffman-code.ts';

const bitsOf = new Map(
  huffmanCodes().map(({ symbol, code, length }) => [symbol, code.toString(2).padStart(length, '0')]),
);

/** Octets with these bits, filled up with ones. */
function octetsOf(bits: string): Buffer {
  const octets = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(octets.map((octet) => Number.parseInt(octet.padEnd(8, '1'), 2)));
}

function encode(text: string): Buffer {
  return octetsOf([...Buffer.from(text, 'latin1')].map((octet) => bitsOf.get(octet)).join(''));
}

function decode(octets: Buffer): string | undefined {
  return huffmanText(octets, 0, octets.length);
}

const latin1 = fc.string({ unit: fc.nat(255).map((octet) => String.fromCharCode(octet)) });

describe('the code', () => {
  it('is complete: the fractions that its codes take are 1 in sum (Kraft)', () => {
    expect(huffmanCodes().reduce((sum, { length }) => sum + 2 ** -length, 0)).toBe(1);
    expect(bitsOf.size).toBe(257);
  });

  it.each([
    [0x00, '1111111111000'],
    [0x0a, '111111111111111111111111111100'],
    [0x20, '010100'],
    [0x30, '00000'],
    [0x41, '100001'],
    [0x5c, '1111111111111110000'],
    [0x61, '00011'],
    [0x7a, '1111011'],
    [0x80, '11111111111111100110'],
    [0xff, '11111111111111111111101110'],
    [endOfString, '1'.repeat(30)],
  ])('the code of symbol %d is that of Appendix B', (symbol, bits) => {
    expect(bitsOf.get(symbol)).toBe(bits);
  });
});

describe('huffmanText', () => {
  it.each([
    ['', ''],
    ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
    ['a8eb10649cbf', 'no-cache'],
    ['25a849e95ba97d7f', 'custom-key'],
    ['6402', '302'],
    ['d07abe941054d444a8200595040b8166e082a62d1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ])('%s is %j', (hex, text) => {
    expect(decode(Buffer.from(hex, 'hex'))).toBe(text);
  });

  it('decodes every octet, whatever stands before it', () => {
    for (let octet = 0; octet < 256; octet++) {
      const character = String.fromCharCode(octet);
      // Codes of 5 bits before it: its own begins at every bit.
      for (let before = 0; before < 8; before++) {
        const text = `${'a'.repeat(before)}${character}${character}z`;
        expect(decode(encode(text))).toBe(text);
      }
    }
  });

  it('decodes any text, of any length', () => {
    fc.assert(fc.property(latin1, (text) => decode(encode(text)) === text));
    for (const length of [2_559, 2_560, 2_561, 3_276, 3_277, 4_096, 100_000]) {
      expect(decode(encode('0'.repeat(length)))).toBe('0'.repeat(length));
    }
  });

  it('reads from start to end only', () => {
    const octets = Buffer.concat([encode('before'), encode('text'), encode('after')]);
    const start = encode('before').length;
    expect(huffmanText(octets, start, start + encode('text').length)).toBe('text');
  });

  it.each([
    ['7 bits of padding', '0'.repeat(10) + bitsOf.get(0x26), '00&'],
    ['no padding', `${bitsOf.get(0x26)}`, '&'],
    ['8 bits of padding', `${bitsOf.get(0x26)}11111111`, undefined],
    ['octets of nothing but padding', '1'.repeat(8), undefined],
    ['15 bits of padding', `${bitsOf.get(0x61)}11111111111`, undefined],
    ['padding that begins with a zero', `${bitsOf.get(0x61)}011`, undefined],
    ['padding that ends with a zero', `${bitsOf.get(0x61)}110`, undefined],
    ['a code that is cut', (bitsOf.get(0x5c) as string).slice(0, 16), undefined],
    ['EOS', '1'.repeat(30), undefined],
    ['EOS, and a text that goes on', `${'1'.repeat(30)}${bitsOf.get(0x61)}`, undefined],
    ['EOS after a text', `${bitsOf.get(0x61)}${'1'.repeat(35)}`, undefined],
  ])('%s: RFC 7541, 5.2', (_, bits, text) => {
    expect(decode(octetsOf(bits))).toBe(text);
  });

  it('is valid for exactly the texts whose code it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), (octets) => {
        const text = decode(Buffer.from(octets));
        return text === undefined || encode(text).equals(octets);
      }),
      { numRuns: 10_000 },
    );
  });
});
