import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogUnreadable, openLog } from './open-log.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-log-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(content: Buffer | string): Promise<string> {
  const path = join(folder, 'some.log');
  await writeFile(path, content);
  return path;
}

async function readAll(pieces: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read).toString();
}

const long = 'a line\n'.repeat(200_000);

describe('openLog()', () => {
  it.each([
    ['as it is', long, long],
    ['packed', gzipSync(long), long],
    ['packed in two members', Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]), 'one\ntwo\n'],
    ['of one octet', '\x1f', '\x1f'],
    ['empty', '', ''],
  ])('reads a log %s', async (_, content, text) => {
    const log = await openLog(await fileOf(content));
    expect(await readAll(log.pieces)).toBe(text);
    expect(log.octetsRead()).toBe(Buffer.from(content).length);
    expect(log.octets).toBe(log.octetsRead() || undefined);
  });

  it('reads standard input, packed or not, in pieces of any length', async () => {
    async function* octets(content: Buffer) {
      for (const octet of content) yield Buffer.from([octet]);
    }
    for (const content of [Buffer.from('some\n'), gzipSync('some\n')]) {
      const log = await openLog('-', octets(content));
      expect(await readAll(log.pieces)).toBe('some\n');
      expect(log.octets).toBeUndefined();
    }
  });

  it('says which log cannot be read', async () => {
    await expect(openLog(join(folder, 'none.log'))).rejects.toThrow(
      /^the log cannot be read: .*none\.log \(ENOENT\)$/,
    );
  });

  it.each([
    ['a folder', () => Promise.resolve(folder), /\(EISDIR\)$/],
    ['cut off', () => fileOf(gzipSync(long).subarray(0, 500)), /\(Z_BUF_ERROR\)$/],
    ['damaged', () => fileOf(Buffer.from(gzipSync(long)).fill(0xff, 10, 40)), /\(Z_DATA_ERROR\)$/],
  ])('says so of a log that is %s', async (_, path, message) => {
    const log = await openLog(await path());
    const reading = readAll(log.pieces);
    await expect(reading).rejects.toBeInstanceOf(LogUnreadable);
    await expect(reading).rejects.toThrow(message);
  });
});
