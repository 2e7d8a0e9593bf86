import {
  createDirectoryWatches,
  type DirectoryWatchesOptions,
  type WatchedNames,
} from './directory-watches.ts';
import type { ListOptions } from './list-files.ts';
import { type DirectoryContents, readContents } from './read-contents.ts';
import { namesAlong } from './watched-paths.ts';

/** A configuration directory that tells when it may have changed. */
export interface WatchedDirectory {
  /** Reads it, and watches from then on what it was read from. A change before the first reading is not told. */
  read(): Promise<DirectoryContents>;
  close(): void;
}

/**
 * Changes are heard wherever they are made: in the directory (plain writes, renames, Kubernetes' swap of `..data`), in the
 * real directories of linked files, and in each part of its path (the reference's swap of the whole root).
 */
export function createWatchedDirectory(
  path: string,
  options: ListOptions & DirectoryWatchesOptions,
): WatchedDirectory {
  const watches = createDirectoryWatches(options);

  async function read(): Promise<DirectoryContents> {
    const contents = await readContents(path, options);
    const wanted = new Map<string, WatchedNames>(await namesAlong(path));
    for (const directory of contents.directories) wanted.set(directory, 'all');
    await watches.update(wanted);
    return contents;
  }

  return { read, close: watches.close };
}
