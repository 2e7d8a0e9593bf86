import { createHash } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import type { ApplyResult, Snapshot, SnapshotContent } from '../config-source.ts';
import { contentsVersion } from '../contents-version.ts';
import { hashInTurns } from '../hash-in-turns.ts';
import { isError } from '../last-good.ts';
import { readKept, writeKept } from './kept-file.ts';
import type { KeptRecord } from './kept-record.ts';

export interface KeeperOptions {
  readonly path: string;
  readonly identity: string;
  readonly clock: Clock;
  readonly onFailure: (reason: string) => void;
}

/** Writes what is good of snapshots to a disk, beside whatever else is done. */
export interface Keeper {
  /** Nobody waits for it. One that comes before the last is written takes the place of others that wait. */
  keep(snapshot: Snapshot, result: ApplyResult): void;
  /** Until nothing is left to be written. */
  idle(): Promise<void>;
}

interface Applied {
  readonly version: string;
  readonly content: SnapshotContent;
  /** Files with an error. */
  readonly broken: ReadonlySet<string>;
}

export function createKeeper(options: KeeperOptions): Keeper {
  const { path, identity, clock, onFailure } = options;
  let waiting: Applied | undefined;
  let writing: Promise<void> | undefined;

  async function write(one: Applied): Promise<void> {
    try {
      const good = one.broken.size === 0 ? one : await withKeptFiles(one, await keptFiles(path, identity));
      const { version, content } = good;
      await writeKept(path, { identity, version, content, savedAt: clock.now() });
    } catch (error) {
      onFailure((error as Error).message);
    }
  }

  async function writeAll(): Promise<void> {
    for (let one = waiting; one !== undefined; one = waiting) {
      waiting = undefined;
      await write(one);
    }
    writing = undefined;
  }

  return {
    keep({ version, content }, result) {
      if (result.kind !== 'applied' || content === undefined) return;
      waiting = { version, content, broken: new Set(result.issues.filter(isError).map(({ file }) => file)) };
      writing ??= writeAll();
    },
    idle: async () => writing,
  };
}

type KeptFiles = Extract<SnapshotContent, { kind: 'files' }>['files'];

function filesOf(content: SnapshotContent): KeptFiles {
  return content.kind === 'files' ? content.files : [];
}

/** What is kept already; what is damaged, or of another source, is nothing. */
async function keptFiles(path: string, identity: string): Promise<KeptFiles> {
  const earlier = await readKept(path).catch(() => undefined);
  return earlier?.identity === identity ? filesOf(earlier.content) : [];
}

/** Of a file with an error, what is kept already. */
async function withKeptFiles(
  { content, broken }: Applied,
  kept: KeptFiles,
): Promise<Pick<KeptRecord, 'version' | 'content'>> {
  const files = [
    ...filesOf(content).filter(({ file }) => !broken.has(file)),
    ...kept.filter(({ file }) => broken.has(file)),
  ].sort((a, b) => (a.file < b.file ? -1 : 1));
  const parts: [string, string][] = [];
  for (const { file, bytes } of files) {
    const hash = createHash('sha256');
    await hashInTurns(hash, bytes);
    parts.push([file, hash.digest('hex')]);
  }
  return { version: contentsVersion(parts), content: { kind: 'files', files } };
}
