import fc from 'fast-check';
import { textOf } from '../../src/domain/octets.ts';
import { descriptor } from '../support/requests.ts';

/** A request of a log. */
export interface Asked {
  /** Since the request before, in ms; below 0 it comes late. */
  readonly gapMs: number;
  readonly hits: number;
  readonly descriptors: readonly string[];
}

const descriptors = fc.uniqueArray(
  fc.constantFrom(
    'user=ann',
    'user=bob',
    'user=vip',
    'user=new-1',
    'user=new-2',
    'soft',
    'quota=a',
    'any',
    'none',
    'path=/, user=ann',
  ),
  { minLength: 1, maxLength: 3 },
);
/** Logs, some requests of which come late. */
export const randomLog = fc.array(
  fc.record({
    gapMs: fc.oneof(fc.nat(400), fc.nat(20_000), fc.constant(-3_000)),
    hits: fc.oneof(fc.constant(0), fc.nat(4)),
    descriptors,
  }),
  { minLength: 1, maxLength: 60 },
);
/** When logs begin. */
export const start = Date.parse('2026-11-02T10:00:30Z');

/** A log as JSON lines. */
export function linesOf(requests: readonly Asked[]): Buffer {
  let time = start;
  const lines = requests.map(({ gapMs, hits, descriptors }) => {
    time += gapMs;
    const asked = descriptors.map((text) => {
      const { entries } = descriptor(text);
      return { entries: entries.map(({ key, value }) => ({ key: textOf(key), value: textOf(value) })) };
    });
    return JSON.stringify({ time: new Date(time).toISOString(), domain: 'shop', hits, descriptors: asked });
  });
  return Buffer.from(lines.join('\n'));
}

/** The same in pieces that end anywhere. */
export async function* cut(octets: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < octets.length; at += 97) yield octets.subarray(at, at + 97);
}
