import { describe, expect, it } from 'vitest';
import { codeIn, readPackageJson, readText, sectionOf, tableRows } from './repository.ts';

describe('docs/dependencies.md', () => {
  const page = readText('docs/dependencies.md');
  const manifest = readPackageJson();

  it.each([
    ['## At run time', manifest.dependencies],
    ['## The runtime', manifest.optionalDependencies],
    ['## In development', manifest.devDependencies],
  ])('%s: a line for each package of package.json, and no other', (heading, packages) => {
    const listed = tableRows(sectionOf(page, heading)).map(([name = '']) => codeIn(name)[0]);
    expect(listed.sort()).toEqual(Object.keys(packages).sort());
  });

  it('says why for each', () => {
    for (const [name, why] of tableRows(page)) expect(why, name).not.toBe('');
  });
});
