import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder that a clone is. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A file of the repository, as text. */
export function readText(path: string): string {
  return readFileSync(new URL(path, `file://${root}`), 'utf8');
}

export interface PackageJson {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export function readPackageJson(): PackageJson {
  return JSON.parse(readText('package.json')) as PackageJson;
}

/** The part of a page below a heading, up to the next heading of its level or above. */
export function sectionOf(page: string, heading: string): string {
  const lines = page.split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`the page has no heading ${heading}`);
  const level = heading.indexOf(' ');
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return rest.slice(0, end < 0 ? undefined : end).join('\n');
}

/** The cells of the rows of all tables in a text, without the heads. A bar in a cell is written `\|`. */
export function tableRows(text: string): string[][] {
  const rows: string[][] = [];
  for (const table of text.split(/\n(?!\|)/)) {
    const lines = table.split('\n').filter((line) => line.startsWith('|'));
    for (const line of lines.slice(2)) {
      const cells = line.slice(1, -1).split(/(?<!\\)\|/);
      rows.push(cells.map((cell) => cell.trim()));
    }
  }
  return rows;
}

/** What stands between backticks. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The lines of the blocks of a language. */
export function codeBlocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block = '']) => block,
  );
}
