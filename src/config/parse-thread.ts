import { on } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ParsePiece, ParseRequest } from './parse-worker.ts';

/** What one request may cost; one that needs more breaks the thread. */
export interface ParseBounds {
  readonly heapMebibytes: number;
  readonly milliseconds: number;
}

export const defaultBounds: ParseBounds = { heapMebibytes: 512, milliseconds: 60_000 };

/** A thread that parses one thing at a time. It has to be ended. */
export interface ParseThread {
  /**
   * Asks for something, and gives the answer piece by piece, of which at most one waits. The octets are given away. Throws what broke the thread, an AbortError at the signal or when it takes too long.
   */
  ask(request: Exclude<ParseRequest, { kind: 'next' }>, signal?: AbortSignal): AsyncGenerator<ParsePiece>;
  end(): Promise<unknown>;
}

export function startParseThread(bounds = defaultBounds): ParseThread {
  // `.ts` when the sources run as they are, `.js` when they are compiled.
  const script = new URL(`./parse-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(script, {
    // A young generation that may grow costs 60 MiB and saves no time.
    resourceLimits: { maxOldGenerationSizeMb: bounds.heapMebibytes, maxYoungGenerationSizeMb: 8 },
    execArgv: [],
    env: {},
  });
  // Between two requests nobody listens; an error that nobody hears would end the process.
  worker.on('error', () => {});

  async function* ask(
    request: Exclude<ParseRequest, { kind: 'next' }>,
    signal?: AbortSignal,
  ): AsyncGenerator<ParsePiece> {
    const send = (message: ParseRequest, moved: ArrayBuffer[] = []) => worker.postMessage(message, moved);
    const late = AbortSignal.timeout(bounds.milliseconds);
    const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
    const pieces = on(worker, 'message', { signal: ended, close: ['exit'] });
    send(request, [request.bytes.buffer]);
    for await (const [piece] of pieces as AsyncIterable<[ParsePiece]>) {
      // One ahead: the thread makes the next while this one is dealt with.
      send({ kind: 'next' });
      yield piece;
    }
  }

  return { ask, end: () => worker.terminate() };
}

/** Why a thread broke, in words for the author of what it parsed. */
export function threadFault(error: unknown, bounds = defaultBounds): { code: string; message: string } {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return {
      code: 'file-too-large',
      message: `parsing it takes more than ${bounds.heapMebibytes} MiB of memory`,
    };
  }
  if (name === 'AbortError') {
    return { code: 'parse-timeout', message: `parsing it takes more than ${bounds.milliseconds / 1000} s` };
  }
  return { code: 'parse-failed', message: `the parser failed: ${message}` };
}
