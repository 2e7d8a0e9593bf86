import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';

/** One complete state of a source. Domains that are not in it are gone, except where an error says why it is missing. */
export interface Snapshot {
  /** Equal versions mean equal content. */
  readonly version: string;
  /** In the order of their files' names. */
  readonly documents: readonly RulesDocument[];
  /**
   * What the source itself found: files that could not be read or parsed. Of a file with an error there is no document;
   * the loader then keeps what it last had from that file.
   */
  readonly issues: readonly ConfigIssue[];
  /** With one error nothing of it counts, as xDS has it: a response is acknowledged or it is not. No unless said. */
  readonly wholeOnly?: boolean;
  /** What it was made of, from sources that are asked for it. */
  readonly content?: SnapshotContent | undefined;
}

/** A source's state as it came, before anything was made of it: what can be kept for a restart. */
export type SnapshotContent =
  | {
      readonly kind: 'files';
      readonly files: readonly { readonly file: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
    }
  /** A DiscoveryResponse. */
  | { readonly kind: 'response'; readonly message: Uint8Array<ArrayBuffer> };

/** What of a snapshot is not in force as it came. By files, since a document is in force with all of its file or not at all. */
export interface HeldBack {
  /** Files of the snapshot that do not count: they have an error, or their domain was refused. */
  readonly refused: ReadonlySet<string>;
  /** Files of which an earlier state counts, whether they are in the snapshot or not. */
  readonly earlier: ReadonlySet<string>;
}

/** What became of a snapshot, told to its source: a file source logs it, an xDS source acknowledges with it. */
export type ApplyResult =
  | { readonly kind: 'unchanged'; readonly version: string }
  /** In force; `issues` may still name domains that were refused. */
  | {
      readonly kind: 'applied';
      readonly version: string;
      readonly issues: readonly ConfigIssue[];
      /** undefined: all of it is in force as it came. */
      readonly heldBack?: HeldBack | undefined;
    }
  /** No domain of it is usable; the rules before it stay in force. */
  | { readonly kind: 'rejected'; readonly version: string; readonly issues: readonly ConfigIssue[] };

/** Takes a source's state. One call at a time; the next state waits for the answer. */
export type Apply = (snapshot: Snapshot) => Promise<ApplyResult>;

/** Where configuration comes from. Every source obeys the same contract (`test/case/config-source.case.ts`). */
export interface ConfigSource {
  /**
   * Told, before it runs, what of it was kept and is in force, where it can make use of that: a source of several places
   * has a state of each then, though one of them is away.
   */
  readonly restored?: ((content: SnapshotContent) => Promise<void>) | undefined;
  /** Delivers the present state, then each new one, until the signal. Rejects only if it can never deliver again. */
  run(apply: Apply, signal: AbortSignal): Promise<void>;
}
