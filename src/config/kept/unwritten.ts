import type { HeldBack, Snapshot, SnapshotContent } from '../config-source.ts';

/** What is in force, and is to be kept. */
export interface Unwritten {
  /** That of the snapshot; undefined where it is not in force as it came. */
  readonly version: string | undefined;
  /** What counts as it came. */
  readonly content: SnapshotContent;
  /** Files that count as they are kept already. */
  readonly earlier: ReadonlySet<string>;
}

export type KeptFiles = Extract<SnapshotContent, { kind: 'files' }>['files'];

const none: ReadonlySet<string> = new Set();

/** What is to be kept of a snapshot. */
export function unwrittenOf(
  version: Snapshot['version'],
  content: SnapshotContent,
  heldBack: HeldBack | undefined,
): Unwritten {
  if (heldBack === undefined || content.kind === 'response') return { version, content, earlier: none };
  const files = content.files.filter(({ file }) => !heldBack.refused.has(file));
  return { version: undefined, content: { kind: 'files', files }, earlier: heldBack.earlier };
}

/** Puts a state on top of one before it that was not written: what counts as it was before is taken from there. */
export function onTopOf(before: Unwritten, { version, content, earlier }: Unwritten): Unwritten {
  return {
    version,
    content: withFiles(content, filesOf(before.content), earlier),
    earlier: new Set([...earlier].filter((file) => before.earlier.has(file))),
  };
}

/** Adds those of other files whose names are wanted. Sorted by name. */
export function withFiles(
  content: SnapshotContent,
  others: KeptFiles,
  wanted: ReadonlySet<string>,
): SnapshotContent {
  if (content.kind === 'response') return content;
  const files = [...content.files, ...others.filter(({ file }) => wanted.has(file))];
  files.sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
  return { kind: 'files', files };
}

export function filesOf(content: SnapshotContent): KeptFiles {
  return content.kind === 'files' ? content.files : [];
}
