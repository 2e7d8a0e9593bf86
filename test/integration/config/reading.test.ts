import { execFileSync } from 'node:child_process';
import { link, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, maxDepth, maxFiles } from '../../../src/config/list-files.ts';
import { mountedFiles } from '../../../src/config/mounted-files.ts';
import { maxBytes, readContents } from '../../../src/config/read-contents.ts';
import { readRulesDirectory } from '../../../src/config/read-directory.ts';
import { readFile } from '../../../src/config/read-file.ts';
import { namesAlong } from '../../../src/config/watched-paths.ts';
import { maxFileBytes } from '../../../src/rules/yaml/yaml-text.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { requireTool } from '../../support/tools.ts';
import { rulesText } from './start-loading.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const withoutDots = { ignoreDotFiles: true };

/** Makes the files, each with a text of its own, and the directories that they need. */
async function write(directory: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(directory, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, rulesText(name.replaceAll(/[^a-z]/g, '-'), 1));
  }
}

async function listed(directory: string, options = withoutDots): Promise<string[]> {
  const { files } = await listFiles(directory, options);
  return files.map((file) => file.slice(directory.length + 1));
}

describe('which files are read', () => {
  it('those for rules, sorted by name, in all directories', async () => {
    const directory = await temporaryDirectory();
    await write(directory, 'b.yaml', 'a.yml', 'c.json', 'a/z.yaml', 'a/y/x.yaml', 'aa.yaml');
    expect(await listed(directory)).toEqual([
      'a/y/x.yaml',
      'a/z.yaml',
      'a.yml',
      'aa.yaml',
      'b.yaml',
      'c.json',
    ]);
  });

  it('not others, which is said', async () => {
    const directory = await temporaryDirectory();
    await write(directory, 'a.yaml', 'a.yaml~', 'README.md', 'b.YAML');
    const { files, issues } = await listFiles(directory, withoutDots);
    expect(files).toEqual([join(directory, 'a.yaml')]);
    expect(issues.map(({ severity, code, file }) => [severity, code, file])).toEqual(
      ['README.md', 'a.yaml~', 'b.YAML'].map((name) => ['lint', 'file-not-read', join(directory, name)]),
    );
  });

  it('those with a dot only when asked for', async () => {
    const directory = await temporaryDirectory();
    await write(directory, '.hidden.yaml', '..dir/a.yaml', 'a.yaml');
    expect(await listed(directory)).toEqual(['a.yaml']);
    expect(await listed(directory, { ignoreDotFiles: false })).toEqual([
      '..dir/a.yaml',
      '.hidden.yaml',
      'a.yaml',
    ]);
  });

  it('the one that is named', async () => {
    const directory = await temporaryDirectory();
    await write(directory, 'a.yaml', 'b.txt');
    const file = join(directory, 'b.txt');
    expect((await listFiles(file, withoutDots)).files).toEqual([file]);
  });

  it('those behind links, but no circle of links', async () => {
    const directory = await temporaryDirectory();
    await write(directory, 'config/a.yaml', 'real/b.yaml');
    await symlink('../real', join(directory, 'config', 'linked'));
    await symlink('..', join(directory, 'real', 'up'));
    const config = join(directory, 'config');
    const { files, directories, issues } = await listFiles(config, withoutDots);
    expect(files).toEqual([join(config, 'a.yaml'), join(config, 'linked', 'b.yaml')]);
    expect(issues.map(({ code }) => code)).toContain('directory-not-read');
    expect([...directories]).toEqual(expect.arrayContaining([config, join(directory, 'real')]));
  });
});

describe('bounds', () => {
  it('directories may be nested so deep and no deeper', async () => {
    const directory = await temporaryDirectory();
    const within = Array.from({ length: maxDepth }, () => 'd').join('/');
    await write(directory, `${within}/a.yaml`, `${within}/d/b.yaml`);
    const { files, issues } = await listFiles(directory, withoutDots);
    expect(files).toEqual([join(directory, within, 'a.yaml')]);
    expect(issues).toMatchObject([{ code: 'directory-not-read', file: join(directory, within, 'd') }]);
  });

  it('only so many files are read', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'real'), rulesText('shop', 1));
    await Promise.all(
      Array.from({ length: maxFiles + 1 }, (_, i) =>
        link(join(directory, 'real'), join(directory, `${i}.yaml`)),
      ),
    );
    const { files, issues } = await listFiles(directory, withoutDots);
    expect(files).toHaveLength(maxFiles);
    expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([{ code: 'too-many-files' }]);
  });

  it('a file may have so many bytes and no more', async () => {
    const file = join(await temporaryDirectory(), 'a.yaml');
    await writeFile(file, '');
    await truncate(file, maxFileBytes + 1);
    const reading = await readFile(file, Number.POSITIVE_INFINITY);
    expect(reading).toMatchObject({ kind: 'refused', issue: { code: 'file-too-large', file } });
  });

  it('all files together may have so many bytes', async () => {
    const directory = await temporaryDirectory();
    const fitting = maxBytes / maxFileBytes;
    for (let i = 0; i <= fitting; i++) {
      await writeFile(join(directory, `${100 + i}.yaml`), '');
      await truncate(join(directory, `${100 + i}.yaml`), maxFileBytes);
    }
    const { files, issues } = await readContents(directory, withoutDots);
    expect(files).toHaveLength(fitting);
    expect(issues).toMatchObject([
      { code: 'too-many-bytes', file: join(directory, `${100 + fitting}.yaml`) },
    ]);
  });
});

describeWithTools(['mkfifo'], 'a named pipe', () => {
  it('is refused without waiting', async () => {
    const directory = await temporaryDirectory();
    execFileSync(requireTool('mkfifo'), [join(directory, 'pipe.yaml')]);
    const { issues } = await readContents(directory, withoutDots);
    expect(issues).toMatchObject([
      { severity: 'error', code: 'not-a-file', file: join(directory, 'pipe.yaml') },
    ]);
  });
});

describe('what can not be read', () => {
  it.each([
    ['a link that leads nowhere', 'nowhere', 'there is nothing at this path'],
    ['a link to itself', 'a.yaml', 'its symbolic links lead in a circle'],
  ])('is named: %s', async (_, target, reason) => {
    const directory = await temporaryDirectory();
    await symlink(target, join(directory, 'a.yaml'));
    const { issues } = await readContents(directory, withoutDots);
    expect(issues).toMatchObject([
      { severity: 'error', code: 'unreadable', file: join(directory, 'a.yaml') },
    ]);
    expect(issues[0]?.message).toContain(reason);
  });

  it('is named: a directory that is not there', async () => {
    const directory = join(await temporaryDirectory(), 'missing');
    const { documents, issues } = await readRulesDirectory(directory, withoutDots);
    expect(documents).toEqual([]);
    expect(issues).toMatchObject([{ severity: 'error', code: 'unreadable', file: directory, line: 0 }]);
  });

  it('is nothing when it was removed between listing and reading', async () => {
    const file = join(await temporaryDirectory(), 'a.yaml');
    expect(await readFile(file, 1_000)).toEqual({ kind: 'gone' });
  });
});

describe('a version', () => {
  const versionOf = async (path: string) => (await readContents(path, withoutDots)).version;

  it('is the same wherever the same files are, however they got there', async () => {
    const [one, other] = [await temporaryDirectory(), await temporaryDirectory()];
    await write(one, 'a.yaml', 'b/c.yaml');
    await write(other, 'b/c.yaml', '.ignored.yaml', 'a.yaml', 'NOTES');
    expect(await versionOf(one)).toBe(await versionOf(other));
  });

  it('changes with content, with names, and with what can not be read', async () => {
    const directory = await temporaryDirectory();
    const versions = [await versionOf(directory)];
    await write(directory, 'a.yaml');
    versions.push(await versionOf(directory));
    await writeFile(join(directory, 'b.yaml'), '');
    versions.push(await versionOf(directory));
    await writeFile(join(directory, 'b.yaml'), ' ');
    versions.push(await versionOf(directory));
    await symlink('nowhere', join(directory, 'c.yaml'));
    versions.push(await versionOf(directory));
    expect(new Set(versions).size).toBe(versions.length);
  });
});

describe('the entries along a path', () => {
  const along = async (path: string) =>
    Object.fromEntries([...(await namesAlong(path))].map(([directory, names]) => [directory, [...names]]));

  it('are its parts, and those of the links among them', async () => {
    const base = await temporaryDirectory();
    await mkdir(join(base, 'releases', 'one', 'config'), { recursive: true });
    await symlink('releases/../releases/one', join(base, 'current'));
    await symlink(join(base, 'current'), join(base, 'absolute'));
    expect(await along(join(base, 'absolute', 'config'))).toMatchObject({
      '/': [base.split('/')[1]],
      [base]: ['absolute', 'current', 'releases'],
      [join(base, 'releases')]: ['one'],
      [join(base, 'releases', 'one')]: ['config'],
    });
  });

  it('end at the first that is missing, and in a circle', async () => {
    const base = await temporaryDirectory();
    expect((await along(join(base, 'no', 'such')))[base]).toEqual(['no']);
    await symlink('loop', join(base, 'loop'));
    expect((await along(join(base, 'loop', 'x')))[base]).toEqual(['loop']);
  });
});

it('R04: a file that is a mount of its own is pointed out', async () => {
  const directory = await temporaryDirectory();
  await write(directory, 'a b.yaml', 'c.yaml');
  await symlink('a b.yaml', join(directory, 'link.yaml'));
  const mounts = [
    '22 1 0:20 / / rw,relatime - overlay overlay rw',
    `36 22 98:0 /pods/1/a ${join(directory, 'a\\040b.yaml')} ro,relatime master:1 - ext4 /dev/root rw`,
    `37 22 98:0 /pods/1 ${directory} ro,relatime - ext4 /dev/root rw`,
  ].join('\n');
  const files = ['a b.yaml', 'c.yaml', 'link.yaml'].map((name) => join(directory, name));
  const issues = await mountedFiles(files, mounts);
  expect(issues.map(({ severity, code, file }) => [severity, code, file])).toEqual([
    ['lint', 'file-is-mount', files[0]],
    ['lint', 'file-is-mount', files[2]],
  ]);
  expect(await mountedFiles(files, '')).toEqual([]);
});
