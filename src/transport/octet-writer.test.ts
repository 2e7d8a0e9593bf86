import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OctetWriter } from './octet-writer.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('octet' as const), value: fc.nat(255) }),
  fc.record({ kind: fc.constant('uint32' as const), value: fc.nat(2 ** 32 - 1) }),
  fc.record({ kind: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 300 }) }),
  fc.record({ kind: fc.constant('text' as const), value: fc.string({ unit: 'binary', maxLength: 100 }) }),
  fc.record({
    kind: fc.constant('text' as const),
    value: fc.string({ unit: 'grapheme-ascii', maxLength: 90 }),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function write(out: OctetWriter, step: Step): Buffer {
  switch (step.kind) {
    case 'octet':
      out.octet(step.value);
      return Buffer.of(step.value);
    case 'uint32': {
      out.uint32(step.value);
      const octets = Buffer.alloc(4);
      octets.writeUInt32BE(step.value);
      return octets;
    }
    case 'bytes':
      out.bytes(step.value);
      return Buffer.from(step.value);
    case 'text':
      out.text(step.value);
      return Buffer.from(step.value);
  }
}

it('holds what was written, in order, whatever its capacity was', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(0, 1, 100, 8_192), (steps, capacity) => {
      const out = new OctetWriter(capacity);
      const expected = Buffer.concat(steps.map((each) => write(out, each)));
      expect(out.at).toBe(expected.length);
      expect(out.take().equals(expected)).toBe(true);
      expect(out.at).toBe(0);
    }),
  );
});

describe('text', () => {
  it.each([
    ['nothing', ''],
    ['ASCII', 'abc'],
    ['63 octets', 'x'.repeat(63)],
    ['64 octets', 'x'.repeat(64)],
    ['65 octets', 'x'.repeat(65)],
    ['long text', 'x'.repeat(100_000)],
    ['text that is not ASCII from the first', 'éa'],
    ['text that is not ASCII at the end', `${'x'.repeat(40)}€`],
    ['pairs of surrogates', 'a😀b'],
    ['a pair around the 64th unit', `${'x'.repeat(63)}😀`],
    ['half a pair', 'a\ud83db\ude00'],
    ['three octets for each unit', '€'.repeat(5_000)],
  ])('%s is UTF-8', (_, text) => {
    const out = new OctetWriter(0);
    out.octet(0xfe);
    out.text(text);
    out.octet(0xff);
    expect(out.take()).toEqual(Buffer.concat([Buffer.of(0xfe), Buffer.from(text), Buffer.of(0xff)]));
  });
});

it('what was taken is not written over', () => {
  const out = new OctetWriter();
  out.text('first');
  const first = out.take();
  out.text('second');
  expect(first.toString()).toBe('first');
  expect(out.take().toString()).toBe('second');
});

it('a place may be left free, and filled later', () => {
  const out = new OctetWriter(0);
  out.reserve(4);
  out.at += 4;
  out.text('x'.repeat(20_000));
  out.octets.writeUInt32BE(out.at - 4, 0);
  expect(out.take().readUInt32BE()).toBe(20_000);
});
