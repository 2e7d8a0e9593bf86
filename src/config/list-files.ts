import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConfigIssue } from '../rules/issue.ts';
import { fileIssue, unreadable } from './file-issue.ts';

export interface ListOptions {
  /** Leave out entries whose name begins with a dot (RUNTIME_IGNOREDOTFILES): Kubernetes' `..data`, editors' files. */
  readonly ignoreDotFiles: boolean;
}

/** What a configuration directory holds. */
export interface Listing {
  /** Paths of the files with rules, each beginning with the directory as it was given; sorted by name. */
  readonly files: readonly string[];
  /** Real paths of all directories that hold something of it: where a change would be seen. */
  readonly directories: ReadonlySet<string>;
  /** What could not be listed, and what was not taken for rules. */
  readonly issues: readonly ConfigIssue[];
}

interface Found {
  readonly options: ListOptions;
  readonly files: string[];
  readonly directories: Set<string>;
  readonly issues: ConfigIssue[];
}

/** Besides YAML there is JSON, which YAML contains. */
const rulesFile = /\.(ya?ml|json)$/;

export const maxFiles = 10_000;
export const maxDepth = 16;

/**
 * Finds the files with rules in a directory and in all directories below it, as the reference does; unlike there, symbolic
 * links to directories are followed. A path that is a file stands for that file alone, whatever its name.
 */
export async function listFiles(path: string, options: ListOptions): Promise<Listing> {
  const found: Found = { options, files: [], directories: new Set(), issues: [] };
  try {
    if ((await stat(path)).isDirectory()) await listDirectory(path, [], found);
    else await addFile(path, found);
  } catch (error) {
    found.issues.push(unreadable(path, error));
  }
  return found;
}

/** @param above real paths of the directories that led here */
async function listDirectory(directory: string, above: readonly string[], found: Found): Promise<void> {
  const real = await realpath(directory);
  if (above.includes(real) || above.length > maxDepth) {
    const why = above.includes(real) ? 'it leads back to itself' : `it is more than ${maxDepth} levels deep`;
    found.issues.push(fileIssue('lint', 'directory-not-read', directory, `not read: ${why}`));
    return;
  }
  found.directories.add(real);
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.options.ignoreDotFiles && entry.name.startsWith('.')) continue;
    await addEntry(join(directory, entry.name), entry, [...above, real], found);
  }
}

async function addEntry(path: string, entry: Dirent, above: readonly string[], found: Found): Promise<void> {
  try {
    if (await isDirectory(path, entry)) await listDirectory(path, above, found);
    else if (rulesFile.test(entry.name)) await addFile(path, found);
    else found.issues.push(notRules(path));
  } catch (error) {
    found.issues.push(unreadable(path, error));
  }
}

/** A link that leads nowhere counts as a file: reading it tells what is wrong. */
async function isDirectory(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function addFile(path: string, found: Found): Promise<void> {
  if (found.files.length === maxFiles) {
    found.issues.push(
      fileIssue('error', 'too-many-files', path, `not read: there are more than ${maxFiles} files`),
    );
    return;
  }
  found.files.push(path);
  const real = await realpath(path).catch(() => path);
  found.directories.add(dirname(real));
}

function notRules(path: string): ConfigIssue {
  const message = 'not read: files with rules have names that end in .yaml, .yml or .json';
  return fileIssue('lint', 'file-not-read', path, message);
}
