import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { grpcMessage } from '../../../test/support/http2-frames.ts';
import { messagePrefixBytes } from '../transport-limits.ts';
import { MessageAssembly } from './message-assembly.ts';

/** Adds all octets in pieces, as one who does not know where the message ends. */
function assembled(pieces: readonly Buffer[]): { assembly: MessageAssembly; left: number } {
  const assembly = new MessageAssembly();
  let left = 0;
  for (const piece of pieces) {
    let at = 0;
    while (at < piece.length && !assembly.isComplete) at = assembly.add(piece, at, piece.length);
    left += piece.length - at;
  }
  return { assembly, left };
}

it('is the message, wherever its pieces end', () => {
  const octets = fc.uint8Array({ maxLength: 3_000 });
  const cuts = fc.array(fc.nat(3_010), { maxLength: 8 });
  fc.assert(
    fc.property(octets, cuts, fc.nat(20), (content, cuts, behind) => {
      const all = Buffer.concat([grpcMessage(content), Buffer.alloc(behind, 0xee)]);
      const places = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length];
      const pieces = places.slice(1).map((place, index) => all.subarray(places[index], place));
      const { assembly, left } = assembled(pieces);
      expect(assembly.isComplete).toBe(true);
      expect(assembly.take().equals(Buffer.from(content))).toBe(true);
      expect(left).toBe(behind);
    }),
  );
});

it('knows flag and length as soon as the prefix is there', () => {
  const assembly = new MessageAssembly();
  const prefix = grpcMessage(Buffer.alloc(77), 1).subarray(0, messagePrefixBytes);
  expect(assembly.hasBegun).toBe(false);
  for (let at = 0; at < messagePrefixBytes; at++) {
    expect(assembly.length).toBeUndefined();
    assembly.add(prefix, at, at + 1);
    expect(assembly.hasBegun).toBe(true);
  }
  expect([assembly.length, assembly.compressedFlag, assembly.isComplete]).toEqual([77, 1, false]);
});

it('keeps nothing of the octets that it was given: they may be written over', () => {
  const assembly = new MessageAssembly();
  const octets = Buffer.from(grpcMessage(Buffer.from('text')));
  assembly.add(octets, assembly.add(octets, 0, octets.length), octets.length);
  octets.fill(0);
  expect(assembly.take().toString()).toBe('text');
});

it('takes memory for what has come, and not for what was promised', () => {
  const sizes = vi.spyOn(Buffer, 'allocUnsafeSlow');
  try {
    const assembly = new MessageAssembly();
    const promise = Buffer.from([0, 0, 0x40, 0, 0]);
    assembly.add(promise, 0, promise.length);
    const taken = () => sizes.mock.calls.reduce((sum, [size]) => sum + size, 0);
    expect(taken()).toBe(0);
    for (let received = 0; received < 1_000_000; received += 1_000) {
      assembly.add(Buffer.alloc(1_000), 0, 1_000);
      expect(taken()).toBeLessThanOrEqual(1.25 * (received + 1_000) + 256);
    }
  } finally {
    sizes.mockRestore();
  }
});
