import { existsSync, globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeBlocks, readPackageJson, readText, root } from './repository.ts';

const pages = globSync(['*.md', 'docs/**/*.md', 'k8s/**/*.md'], { cwd: root });

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): string[] {
  const headings = [...readText(page).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(page: string): string[] {
  const links = [...readText(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

describe('pages', () => {
  it.each(pages)('%s: every link leads somewhere', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(pages)('%s: every npm script is there', (page) => {
    const named = [...readText(page).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(readPackageJson().scripts, name))).toEqual([]);
  });

  it('README.md fits on a screen, and begins with the command that starts it', () => {
    const readme = readText('README.md');
    expect(codeBlocks(readme, 'sh')[0]).toBe('npm ci && npm start\n');
    expect(readme.split('\n').length).toBeLessThanOrEqual(60);
  });
});
