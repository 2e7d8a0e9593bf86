import { on } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import { fileIssue } from './file-issue.ts';
import type { ParsePiece, ParseRequest } from './parse-worker.ts';
import type { FileContent } from './read-file.ts';
import { createRuleTree } from './rule-chunks.ts';

export interface ParsedFiles {
  /** Of the files without errors, in the order given. */
  readonly documents: readonly RulesDocument[];
  readonly issues: readonly ConfigIssue[];
}

/** What one file may cost; a file that needs more is refused. */
export interface ParseBounds {
  readonly heapMebibytes: number;
  readonly milliseconds: number;
}

const defaultBounds: ParseBounds = { heapMebibytes: 512, milliseconds: 60_000 };

type Outcome =
  | {
      readonly kind: 'parsed';
      readonly document: RulesDocument | undefined;
      readonly issues: readonly ConfigIssue[];
    }
  | { readonly kind: 'failed'; readonly issue: ConfigIssue };

/**
 * Parses files in a thread of their own, one after the other. A file that breaks the thread becomes an issue, and the rest
 * is parsed in a new one. The bytes of the files are given away. After the signal the result is not complete.
 */
export async function parseFiles(
  files: readonly FileContent[],
  signal?: AbortSignal,
  bounds = defaultBounds,
): Promise<ParsedFiles> {
  const documents: RulesDocument[] = [];
  const issues: ConfigIssue[] = [];
  let worker: Worker | undefined;
  try {
    for (const file of files) {
      if (signal?.aborted === true) break;
      worker ??= startWorker(bounds);
      const outcome = await parseFile(worker, file, bounds, signal);
      if (outcome.kind === 'failed') {
        await worker.terminate();
        worker = undefined;
        issues.push(outcome.issue);
        continue;
      }
      if (outcome.document !== undefined) documents.push(outcome.document);
      for (const issue of outcome.issues) issues.push(issue);
    }
  } finally {
    await worker?.terminate();
  }
  return { documents, issues };
}

function startWorker(bounds: ParseBounds): Worker {
  // `.ts` when the sources run as they are, `.js` when they are compiled.
  const script = new URL(`./parse-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(script, {
    // A young generation that may grow costs 60 MiB and saves no time.
    resourceLimits: { maxOldGenerationSizeMb: bounds.heapMebibytes, maxYoungGenerationSizeMb: 8 },
    execArgv: [],
    env: {},
  });
  // Between two files nobody listens; an error that nobody hears would end the process.
  return worker.on('error', () => {});
}

async function parseFile(
  worker: Worker,
  { file, bytes }: FileContent,
  bounds: ParseBounds,
  signal?: AbortSignal,
): Promise<Outcome> {
  const send = (request: ParseRequest, moved: ArrayBuffer[] = []) => worker.postMessage(request, moved);
  const late = AbortSignal.timeout(bounds.milliseconds);
  const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
  const tree = createRuleTree();
  try {
    const pieces = on(worker, 'message', { signal: ended, close: ['exit'] });
    send({ kind: 'parse', file, bytes }, [bytes.buffer]);
    for await (const [piece] of pieces as AsyncIterable<[ParsePiece]>) {
      if (piece.kind === 'end') {
        const document = piece.head && { ...piece.head, descriptors: tree.rules };
        return { kind: 'parsed', document, issues: piece.issues };
      }
      tree.add(piece.chunk);
      send({ kind: 'next' });
    }
    return failed(file, 'parse-failed', 'the parser ended without an answer');
  } catch (error) {
    return failedWith(file, error, bounds);
  }
}

function failedWith(file: string, error: unknown, bounds: ParseBounds): Outcome {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return failed(file, 'file-too-large', `parsing it takes more than ${bounds.heapMebibytes} MiB of memory`);
  }
  if (name === 'AbortError') {
    return failed(file, 'parse-timeout', `parsing it takes more than ${bounds.milliseconds / 1000} s`);
  }
  return failed(file, 'parse-failed', `the parser failed: ${message}`);
}

function failed(file: string, code: string, message: string): Outcome {
  return { kind: 'failed', issue: fileIssue('error', code, file, message) };
}
