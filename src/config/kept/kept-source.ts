import type { Clock } from '../../domain/clock.ts';
import type { Apply, ConfigSource, SnapshotContent } from '../config-source.ts';
import type { RetryDelayOptions } from '../retry-delay.ts';
import { createKeeper } from './keeper.ts';
import { readKept } from './kept-file.ts';
import { snapshotOf } from './kept-snapshot.ts';

export interface KeptSourceOptions {
  /** The file in which it is kept. */
  readonly path: string;
  /** From where the source has its rules: what is kept from elsewhere is not used. */
  readonly identity: string;
  readonly clock: Clock;
  /** When what could not be written is written again. */
  readonly retry: RetryDelayOptions;
  readonly onEvent: (event: KeptSourceEvent) => void;
}

export type KeptSourceEvent =
  /** What was kept is in force until the source answers. `savedAt` is in ms since the Unix epoch. */
  | { readonly kind: 'restored'; readonly savedAt: number; readonly version: string }
  | { readonly kind: 'restore-failed'; readonly reason: string }
  /** The source itself has delivered something good, for the first time. */
  | { readonly kind: 'live' }
  /** It is tried again. What was kept before stays. */
  | { readonly kind: 'keep-failed'; readonly reason: string };

/**
 * A source whose last good rules are kept on disk. They are delivered before anything else, so that a file that is broken at
 * the start has its last good rules as well, and are replaced as soon as the source delivers.
 * @param source its snapshots have their `content`
 */
export function createKeptSource(source: ConfigSource, options: KeptSourceOptions): ConfigSource {
  const { path, identity, clock, retry, onEvent } = options;

  async function restore(apply: Apply, signal: AbortSignal): Promise<void> {
    try {
      const record = await readKept(path);
      if (record === undefined || signal.aborted) return;
      if (record.identity !== identity) throw new Error(`it is of another source: ${record.identity}`);
      // A copy: parsing gives the bytes away.
      const forSource = source.restored && copyOf(record.content);
      const snapshot = await snapshotOf(record, signal);
      if (signal.aborted) return;
      const result = await apply(snapshot);
      if (result.kind === 'rejected') throw new Error('nothing of it is good for this version of Weir');
      onEvent({ kind: 'restored', savedAt: record.savedAt, version: record.version });
      if (forSource !== undefined) await source.restored?.(forSource);
    } catch (error) {
      if (!signal.aborted) onEvent({ kind: 'restore-failed', reason: (error as Error).message });
    }
  }

  async function run(apply: Apply, signal: AbortSignal): Promise<void> {
    const onFailure = (reason: string) => onEvent({ kind: 'keep-failed', reason });
    const keeper = createKeeper({ path, identity, clock, retry, onFailure, signal });
    let isLive = false;
    await restore(apply, signal);
    await source.run(async (snapshot) => {
      const result = await apply(snapshot);
      if (!isLive && result.kind !== 'rejected') {
        isLive = true;
        onEvent({ kind: 'live' });
      }
      keeper.keep(snapshot, result);
      return result;
    }, signal);
    await keeper.idle();
  }

  return { run };
}

function copyOf(content: SnapshotContent): SnapshotContent {
  if (content.kind === 'response') return { ...content, message: content.message.slice() };
  return { ...content, files: content.files.map(({ file, bytes }) => ({ file, bytes: bytes.slice() })) };
}
