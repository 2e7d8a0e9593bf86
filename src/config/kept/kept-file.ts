import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hashInTurns } from '../hash-in-turns.ts';
import { maxBytes } from '../read-contents.ts';
import { headerOf, type KeptRecord, parseHeader, partsOf, recordOf } from './kept-record.ts';

/**
 * A kept file, in its own words: a first line `weir-snapshot 1 SHA-256`, whose digest is that of all the rest; a second line
 * of JSON, the header; then the octets as they came, which can be read by eye.
 */
const magic = 'weir-snapshot 1';
const firstLineLength = magic.length + 1 + 64 + 1;

/** The names of ten thousand files, on top of what they hold. */
const maxKeptBytes = maxBytes + 16 * 1024 * 1024;

/** Writes it so that there is the old one or the new one whenever the power fails. Throws errors of the system. */
export async function writeKept(path: string, record: KeptRecord): Promise<void> {
  const pieces = [
    Buffer.from(`${JSON.stringify(headerOf(record))}\n`),
    ...partsOf(record.content).map(({ bytes }) => bytes),
  ];
  const hash = createHash('sha256');
  for (const piece of pieces) await hashInTurns(hash, piece);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  // Rules name customers now and then.
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.writeFile(`${magic} ${hash.digest('hex')}\n`);
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, path);
  await syncFolder(folder);
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
  if (size > maxKeptBytes) throw new Error(`it has more than ${maxKeptBytes} bytes`);
  const octets = await readFile(path);
  const first = octets.subarray(0, firstLineLength).toString('latin1');
  const rest = octets.subarray(firstLineLength);
  const hash = createHash('sha256');
  await hashInTurns(hash, rest);
  if (first !== `${magic} ${hash.digest('hex')}\n`)
    throw new Error('its content has another SHA-256 than it says');
  const end = rest.indexOf('\n');
  return recordOf(parseHeader(rest.subarray(0, end).toString()), rest.subarray(end + 1));
}
