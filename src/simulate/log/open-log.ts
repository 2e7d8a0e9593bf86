import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A log that is read once, from its beginning. */
export interface OpenLog {
  /** What it holds, unpacked. Throws {@link LogUnreadable}. */
  readonly pieces: AsyncIterable<Buffer>;
  /** Octets of the log itself that have been read so far, packed as they are. */
  readonly octetsRead: () => number;
  /** undefined where that is not known: a pipe. */
  readonly octets: number | undefined;
}

/** The log cannot be read, or not to its end. The message is a sentence. */
export class LogUnreadable extends Error {}

const pieceLength = 256 * 1024;

/**
 * Opens a log that may be packed by gzip, whatever its name.
 * @param path `-` for standard input
 */
export async function openLog(path: string, input: AsyncIterable<Buffer> = process.stdin): Promise<OpenLog> {
  if (path === '-') return readLog('standard input', input, undefined);
  const file = await openFile(path);
  const { size } = await file.stat();
  const source = createReadStream('', { fd: file, highWaterMark: pieceLength });
  // A pipe or a device, such as that of a shell's `<(...)`, has no size.
  return readLog(path, source, size > 0 ? size : undefined);
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readLog(name: string, source: AsyncIterable<Buffer>, octets: number | undefined): OpenLog {
  let read = 0;
  async function* counted() {
    for await (const piece of source) {
      read += piece.length;
      yield piece;
    }
  }
  return { pieces: translated(name, unpacked(counted())), octetsRead: () => read, octets };
}

/** Unpacks what begins as gzip does (RFC 1952, 2.3.1); several members may follow each other, as rotated logs are joined. */
async function* unpacked(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const rest = pieces[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await rest.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  if (!isPacked) yield* whole();
  else yield* gunzip(whole());
}

async function* gunzip(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packed = Readable.from(pieces);
  const plain = createGunzip({ chunkSize: pieceLength });
  packed.on('error', (error) => plain.destroy(error));
  packed.pipe(plain);
  try {
    yield* plain;
  } finally {
    packed.destroy();
  }
}

async function* translated(name: string, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): LogUnreadable {
  const { code, message } = error as NodeJS.ErrnoException;
  return new LogUnreadable(`the log cannot be read: ${name} (${code ?? message})`, { cause: error });
}
