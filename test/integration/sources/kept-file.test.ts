import { mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readKept, writeKept } from '../../../src/config/kept/kept-file.ts';
import type { KeptRecord } from '../../../src/config/kept/kept-record.ts';
import { temporaryDirectory } from '../config/temporary-directory.ts';

const octets = (text: string) => Uint8Array.from(Buffer.from(text));

const files: KeptRecord = {
  identity: 'etcd /weir/',
  version: 'v1',
  savedAt: 1_700_000_000_000,
  content: {
    kind: 'files',
    files: [
      { file: 'etcd:/weir/a', bytes: octets('domain: a\n') },
      { file: 'etcd:/weir/\u00fc\n', bytes: octets('') },
      { file: 'etcd:/weir/z', bytes: Uint8Array.from([0, 255, 10, 10]) },
    ],
  },
};
const response: KeptRecord = {
  ...files,
  content: { kind: 'response', message: Uint8Array.from([10, 0, 13]) },
};

describe('what is kept', () => {
  it.each([files, response, { ...files, content: { kind: 'files', files: [] } } satisfies KeptRecord])(
    'is read as it was written: $content.kind',
    async (record) => {
      const path = join(await temporaryDirectory(), 'new', 'folder', 'etcd.snapshot');
      expect(await readKept(path)).toBeUndefined();
      await writeKept(path, record);
      expect(await readKept(path)).toEqual(record);
    },
  );

  it('is for nobody else to read, and leaves nothing beside it', async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, 'etcd.snapshot');
    await writeKept(path, files);
    await writeKept(path, response);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['etcd.snapshot']);
    expect(await readKept(path)).toEqual(response);
  });

  it('never goes through a name that somebody else has made', async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, 'etcd.snapshot');
    const other = join(folder, 'other');
    await writeFile(other, 'untouched');
    await symlink(other, join(folder, `.etcd.snapshot.${process.pid}.tmp`));
    await writeKept(path, files);
    expect(await readFile(other, 'utf8')).toBe('untouched');
  });

  it('may be written by several at once, of whom one is the last', async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, 'etcd.snapshot');
    await Promise.all(Array.from({ length: 8 }, (_, index) => writeKept(path, { ...files, savedAt: index })));
    expect(await readKept(path)).toMatchObject({ version: 'v1' });
    expect(await readdir(folder)).toEqual(['etcd.snapshot']);
  });

  it('leaves nothing behind where it cannot be written', async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, 'etcd.snapshot');
    await mkdir(join(path, 'in the way'), { recursive: true });
    await expect(writeKept(path, files)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await readdir(folder)).toEqual(['etcd.snapshot']);
  });

  it('is not written where it would not be read', async () => {
    const path = join(await temporaryDirectory(), 'etcd.snapshot');
    const bytes = new Uint8Array(81 * 1024 * 1024);
    const record: KeptRecord = { ...files, content: { kind: 'files', files: [{ file: 'a', bytes }] } };
    await expect(writeKept(path, record)).rejects.toThrow('it has more than 83886080 bytes');
    expect(await readKept(path)).toBeUndefined();
  });

  it('of another format is called so', async () => {
    const path = join(await temporaryDirectory(), 'etcd.snapshot');
    await writeFile(path, `weir-snapshot 2 ${'0'.repeat(64)}\n{}\n`);
    await expect(readKept(path)).rejects.toThrow('another version of Weir has written it, in another format');
  });

  it('can be read by eye', async () => {
    const path = join(await temporaryDirectory(), 'etcd.snapshot');
    await writeKept(path, files);
    const lines = (await readFile(path, 'latin1')).split('\n');
    expect(lines[0]).toMatch(/^weir-snapshot 1 [0-9a-f]{64}$/);
    expect(lines[2]).toBe('domain: a');
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['that was cut', async (path) => truncate(path, (await stat(path)).size - 1)],
    ['that is empty', (path) => truncate(path, 0)],
    [
      'of which one bit has changed',
      async (path) => {
        const content = await readFile(path);
        content[content.length - 3] = (content.at(-3) ?? 0) ^ 1;
        await writeFile(path, content);
      },
    ],
    ['that is something else', (path) => writeFile(path, 'domain: a\n')],
  ])('is not used from a file %s', async (_, damage) => {
    const path = join(await temporaryDirectory(), 'etcd.snapshot');
    await writeKept(path, files);
    await damage(path);
    await expect(readKept(path)).rejects.toThrow('its content has another SHA-256 than it says');
  });
});
