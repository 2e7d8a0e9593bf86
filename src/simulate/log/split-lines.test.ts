import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from './split-lines.ts';

function splitAll(pieces: readonly Buffer[], maxLength = 1_000): (string | undefined)[] {
  const splitter = createLineSplitter(maxLength);
  return [...pieces.flatMap((piece) => [...splitter.push(piece)]), ...splitter.end()];
}

/** Cuts octets at these places. */
function cut(octets: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (octets.length + 1)), octets.length].sort((a, b) => a - b);
  return ends.map((end, index) => octets.subarray(ends[index - 1] ?? 0, end));
}

describe('createLineSplitter()', () => {
  it('gives the same lines however the log is cut, also within a character', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '日', '😀', '\n', '\r\n'), { maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (parts, places) => {
        const log = parts.join('');
        const lines = log.split('\n');
        if (lines.at(-1) === '') lines.pop();
        expect(splitAll(cut(Buffer.from(log), places))).toEqual(lines);
      }),
    );
  });

  it('leaves out lines that are too long, whether they come whole or not, and goes on behind them', () => {
    const log = Buffer.from(`ab\n${'x'.repeat(11)}\ncd\n${'y'.repeat(30)}`);
    for (const size of [1, 4, 100]) {
      const pieces = cut(
        log,
        Array.from({ length: Math.ceil(log.length / size) }, (_, index) => index * size),
      );
      expect(splitAll(pieces, 10)).toEqual(['ab', undefined, 'cd', undefined]);
    }
  });

  it('takes a byte order mark off', () => {
    expect(splitAll([Buffer.from('\ufeff{}\n\ufeff')])).toEqual(['{}', '\ufeff']);
  });
});
