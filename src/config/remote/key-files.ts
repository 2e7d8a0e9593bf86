import { createHash } from 'node:crypto';
import { contentsVersion } from '../contents-version.ts';
import { hashInTurns } from '../hash-in-turns.ts';
import { maxFiles } from '../list-files.ts';
import { type Contents, maxBytes } from '../read-contents.ts';
import type { FileContent } from '../read-file.ts';
import { SourceUnavailable } from './source-unavailable.ts';

/** A key of a store of keys and values; keys with a beginning in common are files. */
export interface KeyEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

export interface KeyFilesOptions {
  /** What the names of the files begin with: `etcd:`. */
  readonly scheme: string;
  /** What all keys begin with. */
  readonly prefix: string;
}

/** Whether a key is a folder, as tools for such stores make them: it ends with a slash. */
export function isFolder(key: string): boolean {
  return key.endsWith('/');
}

/**
 * Makes files of keys, sorted by name. Folders are left out. Throws
 * {@link SourceUnavailable} where there are more keys, or bytes, than are read.
 */
export async function filesOfKeys(entries: readonly KeyEntry[], options: KeyFilesOptions): Promise<Contents> {
  const { scheme, prefix } = options;
  const found = entries.filter(({ key }) => !isFolder(key));
  if (found.length > maxFiles) throw new SourceUnavailable(`there are more than ${maxFiles} keys`);
  const total = found.reduce((sum, { value }) => sum + value.length, 0);
  if (total > maxBytes) throw new SourceUnavailable(`the keys together have more than ${maxBytes} bytes`);
  found.sort((a, b) => (a.key < b.key ? -1 : 1));
  const files: FileContent[] = [];
  const parts: [string, string][] = [];
  for (const { key, value } of found) {
    const bytes = new Uint8Array(value);
    const hash = createHash('sha256');
    await hashInTurns(hash, bytes);
    const digest = hash.digest('hex');
    files.push({ kind: 'content', file: `${scheme}${key}`, bytes, digest });
    parts.push([key.slice(prefix.length), digest]);
  }
  return { version: contentsVersion(parts), files, issues: [] };
}
