import { link, mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfigMap } from './config-map.ts';
import { rulesText, startLoading } from './start-loading.ts';
import { temporaryDirectory } from './temporary-directory.ts';

describe('a ConfigMap volume', () => {
  it('R01: is one domain; dot entries are ignored', async () => {
    const directory = await temporaryDirectory();
    await createConfigMap(directory).publish({ 'shop.yaml': rulesText('shop', 5) });
    const loading = startLoading(directory);
    expect((await loading.load(1)).result).toEqual({
      kind: 'applied',
      version: expect.any(String),
      issues: [],
    });
    expect(loading.limits()).toEqual(['shop.ip: 5']);
  });

  it('R01: with dot entries asked for, its files are there twice, and that is said', async () => {
    const directory = await temporaryDirectory();
    await createConfigMap(directory).publish({ 'shop.yaml': rulesText('shop', 5) });
    const { result } = await startLoading(directory, { ignoreDotFiles: false }).load(1);
    expect(result.kind).toBe('rejected');
    expect(result.issues.map(({ code }) => code)).toContain('duplicate-domain');
  });

  it('R02: a swap is exactly one load', async () => {
    const directory = await temporaryDirectory();
    const volume = createConfigMap(directory);
    await volume.publish({ 'shop.yaml': rulesText('shop', 5), 'blog.yaml': rulesText('blog', 1) });
    const loading = startLoading(directory);
    await loading.load(1);
    await volume.publish({ 'shop.yaml': rulesText('shop', 50), 'blog.yaml': rulesText('blog', 2) });
    await loading.untilLimits('blog.ip: 2', 'shop.ip: 50');
    await volume.publish({ 'shop.yaml': rulesText('shop', 51), 'wiki.yaml': rulesText('wiki', 3) });
    await loading.untilLimits('shop.ip: 51', 'wiki.ip: 3');
    expect(loading.loads.map(({ result }) => result.kind)).toEqual(['applied', 'applied', 'applied']);
    expect(loading.events).toEqual([]);
  });

  it('a swap to the same content is none', async () => {
    const directory = await temporaryDirectory();
    const volume = createConfigMap(directory);
    await volume.publish({ 'shop.yaml': rulesText('shop', 5) });
    const loading = startLoading(directory);
    await loading.load(1);
    await volume.publish({ 'shop.yaml': rulesText('shop', 5) });
    await volume.publish({ 'shop.yaml': rulesText('shop', 6) });
    await loading.untilLimits('shop.ip: 6');
    expect(loading.loads).toHaveLength(2);
  });
});

describe('a root that is a link (RUNTIME_WATCH_ROOT=true)', () => {
  it('is followed when it is swapped, and its files when they are written (RUNTIME_WATCH_ROOT=false)', async () => {
    const base = await temporaryDirectory();
    for (const [release, limit] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      await mkdir(join(base, release, 'config'), { recursive: true });
      await writeFile(join(base, release, 'config', 'shop.yaml'), rulesText('shop', limit));
    }
    await symlink('one', join(base, 'current'));
    const loading = startLoading(join(base, 'current', 'config'));
    await loading.untilLimits('shop.ip: 1');

    await symlink('two', join(base, 'next'));
    await rename(join(base, 'next'), join(base, 'current'));
    await loading.untilLimits('shop.ip: 2');

    await writeFile(join(base, 'two', 'config', 'shop.yaml'), rulesText('shop', 3));
    await loading.untilLimits('shop.ip: 3');
    expect(loading.loads).toHaveLength(3);
  });
});

describe('a plain directory', () => {
  it('is heard: new, edited, renamed over, moved away and removed files', async () => {
    const directory = await temporaryDirectory();
    const shop = join(directory, 'shop.yaml');
    const loading = startLoading(directory);
    await loading.load(1);
    await writeFile(shop, rulesText('shop', 1));
    await loading.untilLimits('shop.ip: 1');
    await writeFile(shop, rulesText('shop', 2));
    await loading.untilLimits('shop.ip: 2');
    await writeFile(`${shop}.tmp`, rulesText('shop', 3));
    await rename(`${shop}.tmp`, shop);
    await loading.untilLimits('shop.ip: 3');
    await mkdir(join(directory, 'team'));
    await writeFile(join(directory, 'team', 'blog.yml'), rulesText('blog', 4));
    await loading.untilLimits('blog.ip: 4', 'shop.ip: 3');
    await writeFile(join(directory, 'team', 'blog.yml'), rulesText('blog', 5));
    await loading.untilLimits('blog.ip: 5', 'shop.ip: 3');
    await rename(shop, `${shop}.off`);
    await loading.untilLimits('blog.ip: 5');
    await rm(join(directory, 'team'), { recursive: true });
    await loading.untilLimits();
    expect(loading.loads.every(({ result }) => result.kind === 'applied')).toBe(true);
  });

  it('is heard where a linked file really is', async () => {
    const base = await temporaryDirectory();
    await mkdir(join(base, 'config'));
    await mkdir(join(base, 'elsewhere'));
    await writeFile(join(base, 'elsewhere', 'rules.txt'), rulesText('shop', 1));
    await symlink('../elsewhere/rules.txt', join(base, 'config', 'shop.yaml'));
    const loading = startLoading(join(base, 'config'));
    await loading.untilLimits('shop.ip: 1');
    await writeFile(join(base, 'elsewhere', 'rules.txt'), rulesText('shop', 2));
    await loading.untilLimits('shop.ip: 2');
  });

  it('does not count a write that changes nothing, nor a file that is not for rules', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'shop.yaml'), rulesText('shop', 1));
    const loading = startLoading(directory);
    await loading.load(1);
    await writeFile(join(directory, 'shop.yaml'), rulesText('shop', 1));
    await writeFile(join(directory, 'shop.yaml~'), rulesText('shop', 7));
    await writeFile(join(directory, '.shop.yaml.swp'), 'an editor writes here');
    await writeFile(join(directory, 'shop.yaml'), rulesText('shop', 2));
    await loading.untilLimits('shop.ip: 2');
    expect(loading.loads).toHaveLength(2);
  });

  it('may appear later, be moved away, and come back as another', async () => {
    const base = await temporaryDirectory();
    const directory = join(base, 'not', 'yet', 'config');
    const loading = startLoading(directory);
    const first = await loading.load(1);
    expect(first.result).toMatchObject({
      kind: 'rejected',
      issues: [{ code: 'unreadable', file: directory }],
    });

    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'shop.yaml'), rulesText('shop', 1));
    await loading.untilLimits('shop.ip: 1');

    const loadsBefore = loading.loads.length;
    await rename(join(base, 'not'), join(base, 'away'));
    await loading.load(loadsBefore + 1);
    expect(loading.limits()).toEqual(['shop.ip: 1']);

    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'shop.yaml'), rulesText('shop', 2));
    await loading.untilLimits('shop.ip: 2');
    await writeFile(join(directory, 'shop.yaml'), rulesText('shop', 3));
    await loading.untilLimits('shop.ip: 3');
  });

  it('that never comes to rest is still loaded', async () => {
    const directory = await temporaryDirectory();
    const loading = startLoading(directory, { debounceMs: 1 });
    await loading.load(1);
    for (let limit = 1; loading.loads.length < 2; limit++) {
      await writeFile(join(directory, 'next'), rulesText('shop', limit));
      await rename(join(directory, 'next'), join(directory, 'shop.yaml'));
    }
    expect(loading.limits()).toHaveLength(1);
  });
});

it('R04: an edit that the system does not tell of is found by polling', async () => {
  // A second name of the same file stands in for a bind mount: its directory sees no event either.
  const base = await temporaryDirectory();
  const original = join(base, 'source.txt');
  await mkdir(join(base, 'config'));
  await writeFile(original, rulesText('shop', 10));
  await link(original, join(base, 'config', 'shop.yaml'));
  const loading = startLoading(join(base, 'config'), { pollIntervalMs: 20 });
  await loading.untilLimits('shop.ip: 10');
  await writeFile(original, rulesText('shop', 11), { flag: 'r+' });
  await loading.untilLimits('shop.ip: 11');
  expect(loading.loads).toHaveLength(2);
});

it('a file that is emptied and then written is loaded once', async () => {
  const directory = await temporaryDirectory();
  const shop = join(directory, 'shop.yaml');
  await writeFile(shop, rulesText('shop', 1));
  const loading = startLoading(directory, { debounceMs: 200 });
  await loading.load(1);
  await truncate(shop);
  await writeFile(shop, rulesText('shop', 2));
  await loading.untilLimits('shop.ip: 2');
  expect(loading.loads).toHaveLength(2);
});
