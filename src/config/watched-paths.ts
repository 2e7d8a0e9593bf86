import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';

/** As many as Linux follows. */
const maxLinks = 40;

/**
 * Every entry that decides where a path leads, as names by directory: each part of the path, and of the links among them. A
 * link that is swapped, a directory that is moved away or appears later, is a change of one of these entries.
 */
export async function namesAlong(path: string): Promise<Map<string, Set<string>>> {
  const names = new Map<string, Set<string>>();
  const absolute = resolve(path);
  let current = parse(absolute).root;
  const rest = partsBelow(current, absolute);
  let links = 0;
  for (let part = rest.shift(); part !== undefined && links <= maxLinks; part = rest.shift()) {
    if (part === '..') {
      current = dirname(current);
      continue;
    }
    names.set(current, (names.get(current) ?? new Set()).add(part));
    const next = join(current, part);
    const entry = await lstat(next).catch(() => undefined);
    if (entry === undefined) break;
    if (!entry.isSymbolicLink()) {
      current = next;
      continue;
    }
    links += 1;
    const target = await readlink(next).catch(() => '');
    const { root } = parse(target);
    if (root !== '') current = root;
    rest.unshift(...partsBelow(root, target));
  }
  return names;
}

function partsBelow(root: string, path: string): string[] {
  return path
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '' && part !== '.');
}
