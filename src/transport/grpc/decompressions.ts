import { gunzip } from 'node:zlib';
import { keptCopy } from '../kept-octets.ts';
import { badMessage, type MessageFault, tooLarge } from './message-decoding.ts';

/** What is decompressed in one piece: each takes a way to a thread and back. */
const chunkSize = 65_536;

/** Gets the message, why there is none, or undefined: it was not wanted any more. */
export type DecompressionDone = (message: Buffer | MessageFault | undefined) => void;

export interface Decompression {
  readonly message: Buffer;
  readonly done: DecompressionDone;
}

/**
 * Decompresses the messages of a connection one after another, beside the loop. A few octets become MAX_MESSAGE_SIZE, and a
 * client can send a thousand such messages at once: only one of them is ever large.
 */
export class Decompressions {
  readonly #maxMessageBytes: number;
  readonly #waiting = new Set<Decompression>();
  #isBusy = false;

  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  add(message: Buffer, done: DecompressionDone): Decompression {
    const decompression = { message, done };
    this.#waiting.add(decompression);
    this.#next();
    return decompression;
  }

  /** It is not wanted any more. One that has begun goes on to its end. */
  drop(decompression: Decompression): void {
    if (this.#waiting.delete(decompression)) decompression.done(undefined);
  }

  #next(): void {
    const [first] = this.#waiting;
    if (this.#isBusy || first === undefined) return;
    this.#isBusy = true;
    this.#waiting.delete(first);
    decompress(first.message, this.#maxMessageBytes, (result) => {
      this.#isBusy = false;
      first.done(result);
      this.#next();
    });
  }
}

/** Up to the same size as any other message. */
function decompress(message: Buffer, maxBytes: number, done: (result: Buffer | MessageFault) => void): void {
  const options = { maxOutputLength: Math.max(1, maxBytes), chunkSize };
  gunzip(message, options, (error, result) => {
    if (error === null) done(compact(result));
    else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') done(tooLarge(maxBytes));
    else done(badMessage('the message can not be decompressed'));
  });
}

/** A message in the midst of a chunk would keep all of it for as long as its call is open. */
function compact(message: Buffer): Buffer {
  if (message.buffer.byteLength <= 2 * message.length) return message;
  return keptCopy(message);
}
