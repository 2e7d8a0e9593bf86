import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import type { ConfigIssue } from '../rules/issue.ts';
import { maxFileBytes } from '../rules/yaml/yaml-text.ts';
import { errorCode, fileIssue, unreadable } from './file-issue.ts';

/** A file's content as it was read. */
export interface FileContent {
  readonly kind: 'content';
  readonly file: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string;
}

export type FileReading =
  | FileContent
  /** It was listed and has been removed since. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly issue: ConfigIssue };

const pieceBytes = 256 * 1024;

/**
 * Reads one file in pieces, each hashed as it comes, so that a large file never holds the event loop.
 * @param room how many bytes the files together may still have
 */
export async function readFile(path: string, room: number): Promise<FileReading> {
  let handle: FileHandle;
  try {
    // A named pipe would block until somebody writes into it.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return (await isGone(path)) ? { kind: 'gone' } : { kind: 'refused', issue: unreadable(path, error) };
  }
  try {
    if (!(await handle.stat()).isFile())
      return refused('not-a-file', path, 'it is neither a file nor a directory');
    return await readOpen(path, handle, room);
  } catch (error) {
    return { kind: 'refused', issue: unreadable(path, error) };
  } finally {
    await handle.close();
  }
}

async function readOpen(path: string, handle: FileHandle, room: number): Promise<FileReading> {
  const hash = createHash('sha256');
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(pieceBytes));
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    length += piece.length;
    if (length > maxFileBytes)
      return refused('file-too-large', path, `it has more than ${maxFileBytes} bytes`);
    if (length > room)
      return refused('too-many-bytes', path, 'the files together are too large; it is not read');
    hash.update(piece);
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { kind: 'content', file: path, bytes, digest: hash.digest('hex') };
}

/** A link that leads nowhere is still there. */
async function isGone(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => errorCode(error) === 'ENOENT',
  );
}

function refused(code: string, path: string, message: string): FileReading {
  return { kind: 'refused', issue: fileIssue('error', code, path, message) };
}
