import type { ConfigSource } from '../config-source.ts';
import type { Contents } from '../read-contents.ts';
import type { SourceUnavailable } from './source-unavailable.ts';

/** Where files with rules are that are on no disk of ours. */
export interface RemoteOrigin extends Pick<ConfigSource, 'restored'> {
  /** Reads all of it. Throws {@link SourceUnavailable}, also where it would take too long or too much. */
  read(signal: AbortSignal): Promise<Reading>;
  /** Until it is worth while to read again. Throws {@link SourceUnavailable} when nobody would tell any more. */
  untilNews(signal: AbortSignal): Promise<void>;
  /** Lets go of connections, and of what was agreed on them. The next reading makes new ones. */
  disconnect(): void;
}

export interface Reading {
  /** Sorted by name. Their bytes are given away. */
  readonly contents: Contents;
  /** Why a part of it is an earlier state; undefined when all of it is the present one. */
  readonly failure?: SourceUnavailable | undefined;
}
