import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { Decompressions } from './decompressions.ts';

const maxMessageBytes = 1_000;

/** What became of each message, in the order in which that was known. */
function outcomes(): { readonly seen: string[]; done(name: string): (result: unknown) => void } {
  const seen: string[] = [];
  return {
    seen,
    done: (name) => (result) => {
      const text = Buffer.isBuffer(result)
        ? result.toString()
        : (result as { fault?: string } | undefined)?.fault;
      seen.push(`${name}: ${text}`);
    },
  };
}

it('messages are decompressed one after another', async () => {
  const decompressions = new Decompressions(maxMessageBytes);
  const { seen, done } = outcomes();
  for (const name of ['a', 'b', 'c']) decompressions.add(gzipSync(`text ${name}`), done(name));
  decompressions.add(Buffer.from('no gzip'), done('d'));
  decompressions.add(gzipSync('x'.repeat(1_001)), done('e'));
  decompressions.add(gzipSync('the last'), done('f'));
  expect(seen).toEqual([]);
  await waitUntil('all of them', () => seen.length === 6);
  expect(seen).toEqual([
    'a: text a',
    'b: text b',
    'c: text c',
    'd: bad-message',
    'e: message-size',
    'f: the last',
  ]);
});

it('one that is not wanted any more is told so at once, and the others go on', async () => {
  const decompressions = new Decompressions(maxMessageBytes);
  const { seen, done } = outcomes();
  decompressions.add(gzipSync('one'), done('a'));
  const unwanted = decompressions.add(gzipSync('two'), done('b'));
  decompressions.add(gzipSync('three'), done('c'));
  decompressions.drop(unwanted);
  decompressions.drop(unwanted);
  expect(seen).toEqual(['b: undefined']);
  await waitUntil('the others', () => seen.length === 3);
  expect(seen).toEqual(['b: undefined', 'a: one', 'c: three']);
});

it('a small message does not keep the chunk that it was decompressed into', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  new Decompressions(maxMessageBytes).add(gzipSync('text'), resolve);
  expect(((await promise) as Buffer).buffer.byteLength).toBe(4);
});
