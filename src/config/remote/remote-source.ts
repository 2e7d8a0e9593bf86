import type { Apply, ConfigSource, SnapshotContent } from '../config-source.ts';
import type { Contents } from '../read-contents.ts';
import { parseContents } from '../read-directory.ts';
import { createRetryDelay, type RetryDelayOptions } from '../retry-delay.ts';
import { pause } from './pause.ts';
import type { RemoteOrigin } from './remote-origin.ts';
import { SourceUnavailable } from './source-unavailable.ts';

export interface RemoteSourceOptions {
  readonly retry: RetryDelayOptions;
  /** Snapshots have their content. No unless said. */
  readonly withContent?: boolean;
  readonly onEvent: (event: RemoteSourceEvent) => void;
}

export type RemoteSourceEvent =
  /** It was read, for the first time or again. */
  | { readonly kind: 'connected' }
  /** It cannot be read, or nobody would tell what is new; it is read again after `retryMs`. What is in force stays. */
  | { readonly kind: 'disconnected'; readonly reason: string; readonly retryMs: number }
  /** Something unforeseen; it is tried again likewise. */
  | { readonly kind: 'delivery-failed'; readonly error: unknown };

/** Rules from files elsewhere. Content decides what is a change; while they cannot be read nothing changes. */
export function createRemoteSource(origin: RemoteOrigin, options: RemoteSourceOptions): ConfigSource {
  const { onEvent } = options;

  async function run(apply: Apply, signal: AbortSignal): Promise<void> {
    const retry = createRetryDelay(options.retry);
    let isConnected = false;
    let delivered: string | undefined;

    async function deliver(contents: Contents): Promise<void> {
      if (contents.version === delivered || signal.aborted) return;
      const content = options.withContent === true ? contentOf(contents) : undefined;
      const snapshot = await parseContents(contents, signal);
      if (signal.aborted) return;
      await apply(content === undefined ? snapshot : { ...snapshot, content });
      delivered = contents.version;
    }

    /** Reads, delivers, and waits for more. */
    async function round(): Promise<void> {
      const { contents, failure } = await origin.read(signal);
      await deliver(contents);
      if (failure !== undefined) throw failure;
      retry.reset();
      if (!isConnected && !signal.aborted) onEvent({ kind: 'connected' });
      isConnected = true;
      await origin.untilNews(signal);
    }

    while (!signal.aborted) {
      try {
        await round();
      } catch (error) {
        if (signal.aborted) break;
        origin.disconnect();
        isConnected = false;
        const retryMs = Math.min(retry.next(), longestOf(error));
        onEvent(eventOf(error, retryMs));
        await pause(retryMs, signal);
      }
    }
    origin.disconnect();
  }

  return { run, restored: origin.restored };
}

/** A copy: parsing gives the bytes away. */
function contentOf({ files }: Contents): SnapshotContent {
  return { kind: 'files', files: files.map(({ file, bytes }) => ({ file, bytes: bytes.slice() })) };
}

/** In ms. */
function longestOf(error: unknown): number {
  return error instanceof SourceUnavailable ? error.withinMs : Number.POSITIVE_INFINITY;
}

function eventOf(error: unknown, retryMs: number): RemoteSourceEvent {
  if (!(error instanceof SourceUnavailable)) return { kind: 'delivery-failed', error };
  return { kind: 'disconnected', reason: error.message, retryMs };
}
