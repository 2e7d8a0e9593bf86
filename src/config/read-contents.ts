import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { ConfigIssue } from '../rules/issue.ts';
import { isError } from './last-good.ts';
import { type ListOptions, listFiles } from './list-files.ts';
import { type FileContent, readFile } from './read-file.ts';

/** A configuration directory as it was found, not yet parsed. */
export interface Contents {
  /** Changes with the content of the files, with their names below the directory, and with what can't be read. */
  readonly version: string;
  readonly files: readonly FileContent[];
  /** Real paths of all directories that hold something of it: where a change would be seen. */
  readonly directories: ReadonlySet<string>;
  readonly issues: readonly ConfigIssue[];
}

/** How many bytes the files of a directory may have together. */
export const maxBytes = 64 * 1024 * 1024;

/** Reads all files with rules. What is wrong with them becomes issues. */
export async function readContents(path: string, options: ListOptions): Promise<Contents> {
  const listing = await listFiles(path, options);
  const files: FileContent[] = [];
  const issues = [...listing.issues];
  let room = maxBytes;
  for (const file of listing.files) {
    const reading = await readFile(file, room);
    if (reading.kind === 'refused') issues.push(reading.issue);
    if (reading.kind !== 'content') continue;
    files.push(reading);
    room -= reading.bytes.length;
  }
  return { version: versionOf(path, files, issues), files, directories: listing.directories, issues };
}

/** Replicas that mount the same files at different places have the same version. */
function versionOf(path: string, files: readonly FileContent[], issues: readonly ConfigIssue[]): string {
  const hash = createHash('sha256');
  for (const { file, digest } of files) hash.update(`${relative(path, file)}\0${digest}\n`);
  for (const { file, code } of issues.filter(isError)) hash.update(`${relative(path, file)}\0${code}\n`);
  return hash.digest('hex').slice(0, 32);
}
