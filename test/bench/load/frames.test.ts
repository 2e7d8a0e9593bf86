import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readEnvoyOctets } from './envoy-recording.ts';
import { frameOf, readFrames, windowUpdateOf } from './frames.ts';

const recording = readFileSync(new URL('../../wire/envoy-plain.bin', import.meta.url)).subarray(24);

interface CopiedFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: string;
}

/** Reads as a connection does: what is left of one read is put before the next. */
function readCut(octets: Buffer, cuts: readonly number[]): CopiedFrame[] {
  const frames: CopiedFrame[] = [];
  let kept = Buffer.alloc(0);
  let from = 0;
  for (const cut of [...cuts, octets.length]) {
    const come = Buffer.concat([kept, octets.subarray(from, cut)]);
    const used = readFrames(come, come.length, (frame) => {
      const payload = frame.octets.toString('hex', frame.from, frame.to);
      frames.push({ type: frame.type, flags: frame.flags, stream: frame.stream, payload });
    });
    kept = come.subarray(used);
    from = cut;
  }
  expect(kept.length).toBe(0);
  return frames;
}

describe('frames', () => {
  const whole = readCut(recording, []);

  it('are the same wherever the octets are cut', () => {
    expect(whole.length).toBeGreaterThan(30);
    for (let cut = 1; cut < recording.length; cut += 7) expect(readCut(recording, [cut])).toEqual(whole);
    expect(readCut(recording, [...recording.keys()].slice(1))).toEqual(whole);
  });

  it('are written as they are read', () => {
    const written = whole.map(({ type, flags, stream, payload }) =>
      frameOf(type, flags, stream, Buffer.from(payload, 'hex')),
    );
    expect(Buffer.concat(written).equals(recording)).toBe(true);
    expect(windowUpdateOf(25_100_289).toString('hex')).toBe('000004080000000000017f0001');
  });

  it('must not be larger than was allowed', () => {
    const head = Buffer.from('004001000000000001', 'hex');
    expect(() => readFrames(head, head.length, () => undefined)).toThrow('16385 octets');
  });
});

describe('what is taken from a recording of Envoy', () => {
  it('is its opening and its two header blocks, with and without a timeout', () => {
    const { opening, firstBlock, laterBlock } = readEnvoyOctets(true);
    expect([opening.length, firstBlock.length, laterBlock.length]).toEqual([76, 160, 54]);
    expect(opening.toString('latin1', 0, 24)).toBe('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const withoutTimeout = readEnvoyOctets(false);
    expect([withoutTimeout.firstBlock.length, withoutTimeout.laterBlock.length]).toEqual([89, 50]);
  });
});
