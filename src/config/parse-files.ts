import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import { fileIssue } from './file-issue.ts';
import {
  defaultBounds,
  type ParseBounds,
  type ParseThread,
  startParseThread,
  threadFault,
} from './parse-thread.ts';
import type { FileContent } from './read-file.ts';
import { createRuleTree } from './rule-chunks.ts';

export interface ParsedFiles {
  /** Of the files without errors, in the order given. */
  readonly documents: readonly RulesDocument[];
  readonly issues: readonly ConfigIssue[];
}

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
  let thread: ParseThread | undefined;
  try {
    for (const file of files) {
      if (signal?.aborted === true) break;
      thread ??= startParseThread(bounds);
      const outcome = await parseFile(thread, file, bounds, signal);
      if (outcome.kind === 'failed') {
        await thread.end();
        thread = undefined;
        issues.push(outcome.issue);
        continue;
      }
      if (outcome.document !== undefined) documents.push(outcome.document);
      for (const issue of outcome.issues) issues.push(issue);
    }
  } finally {
    await thread?.end();
  }
  return { documents, issues };
}

async function parseFile(
  thread: ParseThread,
  { file, bytes }: FileContent,
  bounds: ParseBounds,
  signal?: AbortSignal,
): Promise<Outcome> {
  const tree = createRuleTree();
  try {
    for await (const piece of thread.ask({ kind: 'parse', file, bytes }, signal)) {
      if (piece.kind === 'rules') tree.add(piece.chunk);
      if (piece.kind !== 'end') continue;
      const document = piece.head && { ...piece.head, descriptors: tree.rules };
      return { kind: 'parsed', document, issues: piece.issues };
    }
    return failed(file, 'parse-failed', 'the parser ended without an answer');
  } catch (error) {
    const { code, message } = threadFault(error, bounds);
    return failed(file, code, message);
  }
}

function failed(file: string, code: string, message: string): Outcome {
  return { kind: 'failed', issue: fileIssue('error', code, file, message) };
}
