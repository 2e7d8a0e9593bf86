import { createHash } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import type { ApplyResult, Snapshot, SnapshotContent } from '../config-source.ts';
import { contentsVersion } from '../contents-version.ts';
import { hashInTurns } from '../hash-in-turns.ts';
import { pause } from '../remote/pause.ts';
import { createRetryDelay, type RetryDelayOptions } from '../retry-delay.ts';
import { readKept, writeKept } from './kept-file.ts';
import { filesOf, type KeptFiles, onTopOf, type Unwritten, unwrittenOf, withFiles } from './unwritten.ts';

export interface KeeperOptions {
  readonly path: string;
  readonly identity: string;
  readonly clock: Clock;
  /** What could not be written is written again after this time. */
  readonly retry: RetryDelayOptions;
  /** Told each time. What was kept before stays. */
  readonly onFailure: (reason: string) => void;
  /** After it there is one more try at most. */
  readonly signal: AbortSignal;
}

/** Writes what is in force of snapshots to a disk, beside whatever else is done. */
export interface Keeper {
  /** Nobody waits for it. One that comes before the last is written takes the place of others that wait. */
  keep(snapshot: Snapshot, result: ApplyResult): void;
  /** Until nothing is left to be written or, after the signal, that has failed. */
  idle(): Promise<void>;
}

export function createKeeper(options: KeeperOptions): Keeper {
  const { retry, onFailure, signal } = options;
  const delay = createRetryDelay(retry);
  let waiting: Unwritten | undefined;
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    for (let one = waiting; one !== undefined; one = waiting) {
      waiting = undefined;
      const isLast = signal.aborted;
      try {
        await write(one, options);
        delay.reset();
      } catch (error) {
        waiting = waiting === undefined ? one : onTopOf(one, waiting);
        onFailure((error as Error).message);
        if (isLast) break;
        await pause(delay.next(), signal);
      }
    }
    writing = undefined;
  }

  return {
    keep({ version, content }, result) {
      if (result.kind !== 'applied' || content === undefined) return;
      const one = unwrittenOf(version, content, result.heldBack);
      waiting = waiting === undefined ? one : onTopOf(waiting, one);
      writing ??= writeAll();
    },
    idle: async () => writing,
  };
}

type Place = Pick<KeeperOptions, 'path' | 'identity' | 'clock'>;

async function write(one: Unwritten, { path, identity, clock }: Place): Promise<void> {
  const { earlier } = one;
  const kept = earlier.size === 0 ? [] : await keptFiles(path, identity);
  const content = withFiles(one.content, kept, earlier);
  const version = one.version ?? (await versionOf(content));
  await writeKept(path, { identity, version, content, savedAt: clock.now() });
}

/** What is kept already; what is damaged, or of another source, is nothing. Throws errors of the system. */
async function keptFiles(path: string, identity: string): Promise<KeptFiles> {
  const record = await readKept(path).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== undefined) throw error;
    return undefined;
  });
  return record?.identity === identity ? filesOf(record.content) : [];
}

async function versionOf(content: SnapshotContent): Promise<string> {
  const parts: [string, string][] = [];
  for (const { file, bytes } of filesOf(content)) {
    const hash = createHash('sha256');
    await hashInTurns(hash, bytes);
    parts.push([file, hash.digest('hex')]);
  }
  return contentsVersion(parts);
}
