import { setTimeout as delay } from 'node:timers/promises';
import { createAlarm } from './alarm.ts';
import type { Apply, ConfigSource } from './config-source.ts';
import { mountedFiles, ownMounts } from './mounted-files.ts';
import type { Contents } from './read-contents.ts';
import { parseContents } from './read-directory.ts';
import { createWatchedDirectory } from './watched-directory.ts';

export interface FileSourceOptions {
  /** The directory with the rules. It may be missing for now, and any part of its path may be a symbolic link. */
  readonly directory: string;
  /** Leave out entries whose name begins with a dot (RUNTIME_IGNOREDOTFILES). */
  readonly ignoreDotFiles: boolean;
  /** How often it is read although nothing was heard: network file systems and bind mounts tell nothing. */
  readonly pollIntervalMs?: number;
  /** How long it must have been quiet before a change counts. */
  readonly debounceMs?: number;
  readonly onEvent: (event: FileSourceEvent) => void;
}

export type FileSourceEvent =
  /** Changes in this directory are seen by polling only. */
  | { readonly kind: 'watch-failed'; readonly directory: string; readonly message: string }
  /** Something unforeseen; it is tried again at the next poll. */
  | { readonly kind: 'delivery-failed'; readonly error: unknown };

/** A directory that never comes to rest is delivered as it is after so many readings. */
const maxReadings = 20;

/**
 * Rules from the files of a directory. Content decides what is a change, and a change is delivered when two readings in
 * turn agree: one swap is one delivery, half-written files are not delivered, a write that changes nothing is none.
 */
export function createFileSource(options: FileSourceOptions): ConfigSource {
  const { directory, ignoreDotFiles, pollIntervalMs = 5_000, debounceMs = 100, onEvent } = options;

  async function run(apply: Apply, signal: AbortSignal): Promise<void> {
    const alarm = createAlarm();
    const watched = createWatchedDirectory(directory, {
      ignoreDotFiles,
      onChange: alarm.ring,
      onFailure: (path, message) => onEvent({ kind: 'watch-failed', directory: path, message }),
    });
    const rest = () => delay(debounceMs, undefined, { signal }).catch(() => {});
    let delivered: string | undefined;
    // What changes between the first reading and the first watch is found by reading once more.
    alarm.ring();
    while (!signal.aborted) {
      try {
        const contents = await readSettled(watched.read, delivered, rest);
        if (contents.version !== delivered) {
          await deliver(contents, apply, signal);
          delivered = contents.version;
        }
      } catch (error) {
        onEvent({ kind: 'delivery-failed', error });
      }
      await alarm.wait(pollIntervalMs, signal);
      await rest();
    }
    watched.close();
  }

  return { run };
}

/**
 * The state on which two readings agree, or the one that was delivered. The first of all is not waited for: without rules
 * nothing can be decided.
 */
async function readSettled(
  read: () => Promise<Contents>,
  delivered: string | undefined,
  rest: () => Promise<void>,
): Promise<Contents> {
  let contents = await read();
  if (delivered === undefined) return contents;
  for (let readings = 1; contents.version !== delivered && readings < maxReadings; readings += 1) {
    await rest();
    const again = await read();
    if (again.version === contents.version) return again;
    contents = again;
  }
  return contents;
}

async function deliver(contents: Contents, apply: Apply, signal: AbortSignal): Promise<void> {
  const paths = contents.files.map(({ file }) => file);
  const snapshot = await parseContents(contents, signal);
  const mounted = await mountedFiles(paths, await ownMounts());
  if (!signal.aborted) await apply({ ...snapshot, issues: [...snapshot.issues, ...mounted] });
}
