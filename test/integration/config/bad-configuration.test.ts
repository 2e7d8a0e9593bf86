import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rulesText, startLoading } from './start-loading.ts';
import { temporaryDirectory } from './temporary-directory.ts';

it('C04: with an invalid file alone nothing is in force, until it is mended', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'shop.yaml');
  await writeFile(
    file,
    `${rulesText('shop', 5)}  - key: ip\n    rate_limit: {unit: day, requests_per_unit: 20}\n`,
  );
  const loading = startLoading(directory);
  const { result } = await loading.load(1);
  expect(result).toMatchObject({ kind: 'rejected', issues: [{ severity: 'error', file }] });
  expect(loading.limits()).toEqual([]);

  await writeFile(file, rulesText('shop', 5));
  await loading.untilLimits('shop.ip: 5');
  expect((await loading.load(2)).result).toMatchObject({ kind: 'applied', issues: [] });
});

it('C05: a second file with the same domain is reported with both names, and other domains keep updating', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'a.yaml'), rulesText('shop', 1));
  await writeFile(join(directory, 'other.yaml'), rulesText('blog', 5));
  const loading = startLoading(directory);
  await loading.untilLimits('blog.ip: 5', 'shop.ip: 1');

  await writeFile(join(directory, 'b.yaml'), rulesText('shop', 2, 'user'));
  const { result } = await loading.load(2);
  expect(result).toMatchObject({ kind: 'applied', issues: [{ file: join(directory, 'b.yaml') }] });
  expect(result.issues[0]?.message).toContain(join(directory, 'a.yaml'));

  await writeFile(join(directory, 'other.yaml'), rulesText('blog', 9));
  await loading.untilLimits('blog.ip: 9', 'shop.ip: 1');
});

it('C05: they are merged when that is asked for', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'a.yaml'), rulesText('shop', 1));
  await writeFile(join(directory, 'b.yaml'), rulesText('shop', 2, 'user'));
  const loading = startLoading(directory, { mergeDomains: true });
  await loading.untilLimits('shop.ip: 1', 'shop.user: 2');
  await writeFile(join(directory, 'b.yaml'), rulesText('shop', 3, 'ip'));
  const { result } = await loading.load(2);
  expect(result.issues.map(({ message }) => message).join()).toContain('a.yaml');
  expect(loading.limits()).toEqual(['shop.ip: 1', 'shop.user: 2']);
});

it('C06: a bad file does not hold back good ones', async () => {
  const directory = await temporaryDirectory();
  for (const domain of ['one', 'two', 'three']) {
    await writeFile(join(directory, `${domain}.yaml`), rulesText(domain, 5));
  }
  const bad = join(directory, 'bad.yaml');
  await writeFile(bad, 'domain: ""\n');
  const loading = startLoading(directory);
  await loading.untilLimits('one.ip: 5', 'three.ip: 5', 'two.ip: 5');
  await writeFile(join(directory, 'two.yaml'), rulesText('two', 9));
  await loading.untilLimits('one.ip: 5', 'three.ip: 5', 'two.ip: 9');
  for (const { result } of loading.loads) {
    expect(result.kind).toBe('applied');
    expect(result.issues.map(({ file }) => file)).toEqual([bad]);
  }
});

it('a file that breaks keeps its rules until it is mended or removed', async () => {
  const directory = await temporaryDirectory();
  const shop = join(directory, 'shop.yaml');
  const blog = join(directory, 'blog.yaml');
  await writeFile(shop, rulesText('shop', 1));
  await writeFile(blog, rulesText('blog', 1));
  const loading = startLoading(directory);
  await loading.load(1);
  await writeFile(shop, 'domain: shop\ndescriptors: [');
  await writeFile(blog, rulesText('blog', 2));
  await loading.untilLimits('blog.ip: 2', 'shop.ip: 1');
  await rm(shop);
  await symlink('nowhere', shop);
  await writeFile(blog, rulesText('blog', 3));
  await loading.untilLimits('blog.ip: 3', 'shop.ip: 1');
  await rm(shop);
  await loading.untilLimits('blog.ip: 3');
});
