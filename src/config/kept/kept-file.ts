import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hashInTurns } from '../hash-in-turns.ts';
import { maxBytes } from '../read-contents.ts';
import { headerOf, type KeptRecord, parseHeader, partsOf, recordOf } from './kept-record.ts';

/**
 * A kept file, in its own words: a first line `weir-snapshot 1 SHA-256`, whose digest is that of all the rest; a second line
 * of JSON, the header; then the octets as they came, which can be read by eye.
 */
const name = 'weir-snapshot';
const magic = `${name} 1`;
const firstLineLength = magic.length + 1 + 64 + 1;

/** The names of ten thousand files, on top of what they hold. */
const maxKeptBytes = maxBytes + 16 * 1024 * 1024;

/**
 * Writes it so that there is the old one or the new one whenever the power fails. Throws errors of the system, and where it
 * has more than would be read again.
 */
export async function writeKept(path: string, record: KeptRecord): Promise<void> {
  const pieces = [
    Buffer.from(`${JSON.stringify(headerOf(record))}\n`),
    ...partsOf(record.content).map(({ bytes }) => bytes),
  ];
  checkSize(pieces.reduce((sum, { length }) => sum + length, firstLineLength));
  const hash = createHash('sha256');
  for (const piece of pieces) await hashInTurns(hash, piece);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = join(folder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    await writeNew(unfinished, [Buffer.from(`${magic} ${hash.digest('hex')}\n`), ...pieces]);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
}

/** Nobody else's file, and no link to one: rules name customers now and then. */
async function writeNew(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function checkSize(bytes: number): void {
  if (bytes > maxKeptBytes) throw new Error(`it has more than ${maxKeptBytes} bytes`);
}

/** The new name has to be on the disk as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** undefined where there is none. Throws, with a reason, where it is damaged or cannot be read. */
export async function readKept(path: string): Promise<KeptRecord | undefined> {
  const size = await stat(path).then(
    (found) => found.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (size === undefined) return undefined;
  checkSize(size);
  const octets = await readFile(path);
  const first = octets.subarray(0, firstLineLength).toString('latin1');
  if (first.startsWith(`${name} `) && !first.startsWith(`${magic} `)) {
    throw new Error('another version of Weir has written it, in another format');
  }
  const rest = octets.subarray(firstLineLength);
  const hash = createHash('sha256');
  await hashInTurns(hash, rest);
  if (first !== `${magic} ${hash.digest('hex')}\n`)
    throw new Error('its content has another SHA-256 than it says');
  const end = rest.indexOf('\n');
  return recordOf(parseHeader(rest.subarray(0, end).toString()), rest.subarray(end + 1));
}
