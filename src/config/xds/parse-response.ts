import type { ConfigIssue } from '../../rules/issue.ts';
import type { RulesDocument } from '../../rules/rules-document.ts';
import type { Snapshot } from '../config-source.ts';
import { type ParseThread, startParseThread } from '../parse-thread.ts';
import type { ParsePiece } from '../parse-worker.ts';
import { createRuleTree } from '../rule-chunks.ts';
import type { ResponseHead } from './read-response.ts';

/** A response of which the head is known, and the rest is parsed when somebody wants it. */
export interface ParsedResponse {
  readonly head: ResponseHead;
  /** The rules in it. At most once. Rejects with what broke the parser. */
  snapshot(): Promise<Snapshot>;
  /** To be called in the end, whatever was asked for. */
  close(): Promise<unknown>;
}

/**
 * Reads a DiscoveryResponse in a thread of its own: with many rules it would hold decisions for seconds. The octets are given
 * away. Rejects where they are no such message.
 */
export async function parseResponse(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<ParsedResponse> {
  const thread = startParseThread();
  try {
    const pieces = thread.ask({ kind: 'parse-response', bytes }, signal);
    const { value: first } = await pieces.next();
    if (first?.kind !== 'response') throw new Error('the parser ended without an answer');
    return responseOf(first.response, pieces, thread);
  } catch (error) {
    await thread.end();
    throw error;
  }
}

function responseOf(
  head: ResponseHead,
  pieces: AsyncIterable<ParsePiece>,
  thread: ParseThread,
): ParsedResponse {
  async function snapshot(): Promise<Snapshot> {
    const documents: RulesDocument[] = [];
    const issues: ConfigIssue[] = [];
    let tree = createRuleTree();
    for await (const piece of pieces) {
      if (piece.kind === 'rules') tree.add(piece.chunk);
      if (piece.kind === 'end') {
        if (piece.head !== undefined) documents.push({ ...piece.head, descriptors: tree.rules });
        for (const issue of piece.issues) issues.push(issue);
        tree = createRuleTree();
      }
      if (piece.kind === 'done') return { version: head.contentVersion, documents, issues, wholeOnly: true };
    }
    throw new Error('the parser ended without an answer');
  }
  return { head, snapshot, close: thread.end };
}
