import { existsSync, globSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeIn, readText, root, sectionOf, tableRows } from './repository.ts';

interface CruiserRule {
  readonly name: string;
  readonly from: { readonly path: string; readonly pathNot?: string | readonly string[] };
  readonly to: { readonly path?: string; readonly pathNot?: readonly string[] };
}

const { forbidden } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly CruiserRule[];
};
const page = readText('docs/architecture.md');
const directions = sectionOf(page, '## Who may import whom');
const sources = globSync('src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));

/** Folder -> what it may import, of the rules that are enforced. */
function enforcedDirections(): Record<string, readonly string[]> {
  const rules = forbidden.filter(({ name }) => name.endsWith('-imports'));
  return Object.fromEntries(
    rules.map(({ from, to }) => {
      const folder = from.path.replace(/^\^src\/|\/$/g, '');
      const others = (to.pathNot ?? []).map((path) => path.replace(/^\^src\/|\[\/\.\]$/g, ''));
      return [folder, others.filter((other) => other !== folder)];
    }),
  );
}

/** Library -> where it may be imported, of the rules that are enforced: the sources that its pattern takes. */
function enforcedHomes(): Record<string, readonly string[]> {
  const rules = forbidden.filter(({ name }) => name.endsWith('-belongs'));
  return Object.fromEntries(
    rules.map(({ from, to }) => {
      const library = (to.path ?? '').replace(/^.*node_modules\/|\/$/g, '');
      const home = new RegExp(from.pathNot?.[0] ?? '');
      return [library, sources.filter((path) => home.test(path))];
    }),
  );
}

const allowed = enforcedDirections();
const homes = enforcedHomes();

describe('docs/architecture.md', () => {
  it('has the import directions that are enforced', () => {
    const documented = tableRows(directions).filter(([name = '']) =>
      Object.hasOwn(allowed, codeIn(name)[0] ?? ''),
    );
    expect(
      Object.fromEntries(documented.map(([name = '', others = '']) => [codeIn(name)[0], codeIn(others)])),
    ).toEqual(allowed);
  });

  it('has the home of each library that is enforced', () => {
    const documented = tableRows(directions).filter(([name = '']) =>
      Object.hasOwn(homes, codeIn(name)[0] ?? ''),
    );
    expect(
      Object.fromEntries(
        documented.map(([name = '', places = '']) => [
          codeIn(name)[0],
          sources.filter((path) => codeIn(places).some((place) => path.startsWith(place))),
        ]),
      ),
    ).toEqual(homes);
  });

  it('has no folder and no library that is not enforced', () => {
    const names = tableRows(directions).map(([name = '']) => codeIn(name)[0]);
    expect(names.sort()).toEqual([...Object.keys(allowed), ...Object.keys(homes)].sort());
  });

  it('lists everything in src/', () => {
    const listed = tableRows(sectionOf(page, '## The tree')).map(([name = '']) => codeIn(name)[0]);
    const there = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter(({ name }) => !name.endsWith('.test.ts'))
      .map((entry) => (entry.isDirectory() ? `src/${entry.name}/` : `src/${entry.name}`));
    expect(listed.filter((name) => name?.startsWith('src/')).sort()).toEqual(there.sort());
  });

  it('names files that exist', () => {
    const paths = codeIn(page).filter((code) => /^[a-z.][\w.-]*\/[\w./-]*$/.test(code));
    const places = (path: string) => [path, `src/${path}`, `src/${path}.ts`];
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !places(path).some((place) => existsSync(join(root, place))))).toEqual([]);
  });
});
