import { createHash } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import type { Apply, ApplyResult, ConfigSource, Snapshot, SnapshotContent } from '../config-source.ts';
import { contentsVersion } from '../contents-version.ts';
import { hashInTurns } from '../hash-in-turns.ts';
import { isError } from '../last-good.ts';
import { readKept, writeKept } from './kept-file.ts';
import type { KeptRecord } from './kept-record.ts';
import { snapshotOf } from './kept-snapshot.ts';

export interface KeptSourceOptions {
  /** The file in which it is kept. */
  readonly path: string;
  /** From where the source has its rules: what is kept from elsewhere is not used. */
  readonly identity: string;
  readonly clock: Clock;
  readonly onEvent: (event: KeptSourceEvent) => void;
}

export type KeptSourceEvent =
  /** What was kept is in force, or was refused (see the log), until the source answers. `savedAt` is in ms since the Unix epoch. */
  | { readonly kind: 'restored'; readonly savedAt: number; readonly version: string }
  | { readonly kind: 'restore-failed'; readonly reason: string }
  /** The source itself has delivered, for the first time. */
  | { readonly kind: 'live' }
  | { readonly kind: 'keep-failed'; readonly reason: string };

/**
 * A source whose last good rules are kept on disk. They are delivered before anything else, so that a file that is broken at
 * the start has its last good rules as well, and are replaced as soon as the source delivers.
 * @param source its snapshots have their `content`
 */
export function createKeptSource(source: ConfigSource, options: KeptSourceOptions): ConfigSource {
  const { path, identity, clock, onEvent } = options;

  async function restore(apply: Apply, signal: AbortSignal): Promise<void> {
    try {
      const record = await readKept(path);
      if (record === undefined || signal.aborted) return;
      if (record.identity !== identity) throw new Error(`it is of another source: ${record.identity}`);
      const { savedAt, version } = record;
      const result = await apply(await snapshotOf(record, signal));
      if (result.kind === 'rejected') throw new Error('nothing of it is good for this version of Weir');
      onEvent({ kind: 'restored', savedAt, version });
    } catch (error) {
      if (!signal.aborted) onEvent({ kind: 'restore-failed', reason: (error as Error).message });
    }
  }

  async function keep({ version, content }: Snapshot, result: ApplyResult): Promise<void> {
    if (result.kind !== 'applied' || content === undefined) return;
    const broken = new Set(result.issues.filter(isError).map(({ file }) => file));
    try {
      const good = broken.size === 0 ? { version, content } : await withoutBroken(content, broken);
      await writeKept(path, { identity, savedAt: clock.now(), ...good });
    } catch (error) {
      onEvent({ kind: 'keep-failed', reason: (error as Error).message });
    }
  }

  /** Of a file with an error, what is kept already. */
  async function withoutBroken(
    content: SnapshotContent,
    broken: ReadonlySet<string>,
  ): Promise<Pick<KeptRecord, 'version' | 'content'>> {
    const earlier = await readKept(path).catch(() => undefined);
    const kept = earlier?.identity === identity ? filesOf(earlier.content) : [];
    const files = [
      ...filesOf(content).filter(({ file }) => !broken.has(file)),
      ...kept.filter(({ file }) => broken.has(file)),
    ].sort((a, b) => (a.file < b.file ? -1 : 1));
    return { version: await versionOf(files), content: { kind: 'files', files } };
  }

  return {
    async run(apply, signal) {
      await restore(apply, signal);
      let isLive = false;
      await source.run(async (snapshot) => {
        const result = await apply(snapshot);
        if (!isLive && result.kind !== 'rejected') onEvent({ kind: 'live' });
        isLive ||= result.kind !== 'rejected';
        await keep(snapshot, result);
        return result;
      }, signal);
    },
  };
}

type KeptFiles = Extract<SnapshotContent, { kind: 'files' }>['files'];

function filesOf(content: SnapshotContent): KeptFiles {
  return content.kind === 'files' ? content.files : [];
}

async function versionOf(files: KeptFiles): Promise<string> {
  const parts: [string, string][] = [];
  for (const { file, bytes } of files) {
    const hash = createHash('sha256');
    await hashInTurns(hash, bytes);
    parts.push([file, hash.digest('hex')]);
  }
  return contentsVersion(parts);
}
