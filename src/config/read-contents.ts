import { relative } from 'node:path';
import type { ConfigIssue } from '../rules/issue.ts';
import { contentsVersion } from './contents-version.ts';
import { isError } from './last-good.ts';
import { type ListOptions, listFiles } from './list-files.ts';
import { type FileContent, readFile } from './read-file.ts';

/** Files with rules as they were found, not yet parsed. */
export interface Contents {
  /** Changes with the content of the files, with their names, and with what can't be read. */
  readonly version: string;
  readonly files: readonly FileContent[];
  readonly issues: readonly ConfigIssue[];
}

/** A configuration directory. Names are those below it. */
export interface DirectoryContents extends Contents {
  /** Real paths of all directories that hold something of it: where a change would be seen. */
  readonly directories: ReadonlySet<string>;
}

/** How many bytes the files of a directory may have together. */
export const maxBytes = 64 * 1024 * 1024;

/** Reads all files with rules. What is wrong with them becomes issues. */
export async function readContents(path: string, options: ListOptions): Promise<DirectoryContents> {
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
  return contentsVersion([
    ...files.map(({ file, digest }) => [relative(path, file), digest] as const),
    ...issues.filter(isError).map(({ file, code }) => [relative(path, file), code] as const),
  ]);
}
