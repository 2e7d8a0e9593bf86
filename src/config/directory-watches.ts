import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';

/** The names that matter in a directory. */
export type WatchedNames = ReadonlySet<string> | 'all';

export interface DirectoryWatchesOptions {
  readonly onChange: () => void;
  /** A directory can't be watched, for example since the system's limit of watches is reached. Told once for each. */
  readonly onFailure: (directory: string, message: string) => void;
}

/** Watches of the operating system on a changing set of directories. */
export interface DirectoryWatches {
  /** Makes this the set. A directory that was replaced by another at the same path is watched anew. */
  update(wanted: ReadonlyMap<string, WatchedNames>): Promise<void>;
  close(): void;
}

interface Watch {
  /** Device and inode: the watch stays with the directory, not with the path. */
  readonly identity: string;
  readonly watcher: FSWatcher;
  names: WatchedNames;
}

export function createDirectoryWatches({ onChange, onFailure }: DirectoryWatchesOptions): DirectoryWatches {
  const watches = new Map<string, Watch>();
  const failed = new Set<string>();

  function fail(directory: string, error: Error): void {
    end(directory);
    if (failed.has(directory)) return;
    failed.add(directory);
    onFailure(directory, error.message);
  }

  function end(directory: string): void {
    watches.get(directory)?.watcher.close();
    watches.delete(directory);
  }

  function begin(directory: string, identity: string, names: WatchedNames): void {
    try {
      const watcher = watch(directory, { persistent: false });
      const entry: Watch = { identity, watcher, names };
      watcher.on('change', (_, name) => {
        if (entry.names === 'all' || name === null || entry.names.has(String(name))) onChange();
      });
      watcher.on('error', (error) => fail(directory, error));
      watches.set(directory, entry);
      failed.delete(directory);
    } catch (error) {
      fail(directory, error as Error);
    }
  }

  async function update(wanted: ReadonlyMap<string, WatchedNames>): Promise<void> {
    for (const directory of watches.keys()) if (!wanted.has(directory)) end(directory);
    for (const directory of failed) if (!wanted.has(directory)) failed.delete(directory);
    for (const [directory, names] of wanted) {
      const identity = await identityOf(directory);
      const present = watches.get(directory);
      if (present !== undefined && present.identity === identity) {
        present.names = names;
        continue;
      }
      end(directory);
      if (identity !== undefined) begin(directory, identity, names);
    }
  }

  function close(): void {
    for (const directory of watches.keys()) end(directory);
  }

  return { update, close };
}

/** undefined when it is not there any more; its parent's watch tells. */
async function identityOf(directory: string): Promise<string | undefined> {
  const found = await stat(directory, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}
