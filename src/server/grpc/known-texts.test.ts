import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KnownTexts } from './known-texts.ts';

it('gives the text that is in the octets, whatever came before', () => {
  const texts = new KnownTexts();
  const short = fc.uint8Array({ maxLength: 3 });
  const long = fc.uint8Array({ minLength: 60, maxLength: 70 });
  fc.assert(
    fc.property(fc.oneof(short, long), fc.nat(3), (text, before) => {
      const octets = Buffer.concat([Buffer.alloc(before, 1), text, Buffer.alloc(2, 1)]);
      expect(texts.at(octets, before, before + text.length)).toBe(Buffer.from(text).toString('latin1'));
    }),
    { numRuns: 5_000 },
  );
});

it('tells texts of one slot apart', () => {
  const texts = new KnownTexts();
  const all = Array.from({ length: 5_000 }, (_, index) => `key-${index}`);
  for (const text of [...all, ...all]) expect(texts.at(Buffer.from(text), 0, text.length)).toBe(text);
});
