import type { SnapshotContent } from '../config-source.ts';
import { maxFiles } from '../list-files.ts';

/** The last good rules of a source, as they came from it. */
export interface KeptRecord {
  /** Of which source, and from where: what is kept of another is not used. */
  readonly identity: string;
  /** That of the snapshot. */
  readonly version: string;
  /** Milliseconds since the Unix epoch. */
  readonly savedAt: number;
  readonly content: SnapshotContent;
}

/** The line of a kept file that says what follows it. */
export interface KeptHeader extends Omit<KeptRecord, 'content'> {
  readonly kind: SnapshotContent['kind'];
  /** The octets that follow, one part after the other. A response is one part without a name. */
  readonly parts: readonly KeptPart[];
}

interface KeptPart {
  readonly file: string;
  readonly bytes: number;
}

export function headerOf({ content, identity, version, savedAt }: KeptRecord): KeptHeader {
  const parts = partsOf(content).map(({ file, bytes }) => ({ file, bytes: bytes.length }));
  return { identity, version, savedAt, kind: content.kind, parts };
}

/** The octets of a content, with their names. */
export function partsOf(
  content: SnapshotContent,
): readonly { file: string; bytes: Uint8Array<ArrayBuffer> }[] {
  return content.kind === 'files' ? content.files : [{ file: '', bytes: content.message }];
}

/** Puts together what was taken apart. Throws, with a reason, where the two do not fit. */
export function recordOf(header: KeptHeader, octets: Uint8Array): KeptRecord {
  const files: { file: string; bytes: Uint8Array<ArrayBuffer> }[] = [];
  let at = 0;
  for (const { file, bytes } of header.parts) {
    files.push({ file, bytes: new Uint8Array(octets.subarray(at, at + bytes)) });
    at += bytes;
  }
  if (at !== octets.length) throw new Error('its parts are not as long as it says');
  const { identity, version, savedAt, kind } = header;
  const content: SnapshotContent =
    kind === 'files' ? { kind, files } : { kind, message: files[0]?.bytes ?? new Uint8Array() };
  return { identity, version, savedAt, content };
}

/** Reads that line. Throws, with a reason, where it is none. */
export function parseHeader(line: string): KeptHeader {
  const header = JSON.parse(line) as Partial<KeptHeader>;
  const { identity, version, savedAt, kind, parts } = header;
  const isSound =
    typeof identity === 'string' &&
    typeof version === 'string' &&
    typeof savedAt === 'number' &&
    (kind === 'files' || kind === 'response') &&
    Array.isArray(parts) &&
    parts.length <= maxFiles &&
    parts.every(isPart);
  if (!isSound) throw new Error('its header is not one of ours');
  return { identity, version, savedAt, kind, parts };
}

function isPart(part: Partial<KeptPart> | null): boolean {
  return typeof part?.file === 'string' && Number.isSafeInteger(part.bytes) && (part.bytes as number) >= 0;
}
