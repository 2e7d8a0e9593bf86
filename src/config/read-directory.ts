import type { Snapshot } from './config-source.ts';
import type { ListOptions } from './list-files.ts';
import { parseFiles } from './parse-files.ts';
import { type Contents, readContents } from './read-contents.ts';

/** Reads a configuration directory once, as `check` and `explain` do. A path that is a file stands for that file. */
export async function readRulesDirectory(path: string, options: ListOptions): Promise<Snapshot> {
  return parseContents(await readContents(path, options));
}

/** Parses what was read, off the event loop. The bytes of `contents` are given away. */
export async function parseContents(contents: Contents, signal?: AbortSignal): Promise<Snapshot> {
  const parsed = await parseFiles(contents.files, signal);
  return {
    version: contents.version,
    documents: parsed.documents,
    issues: [...contents.issues, ...parsed.issues],
  };
}
