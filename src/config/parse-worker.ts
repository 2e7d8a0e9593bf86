/**
 * The thread that parses files and answers of xDS and Consul, so that decisions go on meanwhile. It is started by `parse-thread.ts`,
 * parses one thing at a time, and sends the result in pieces, each when it is asked for: the receiver's event loop takes in all
 * messages that wait in one turn, and ten thousand rules in one would hold it for 30 ms.
 */
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { ConfigIssue } from '../rules/issue.ts';
import { parseRules } from '../rules/parse/parse.ts';
import type { ParseResult } from '../rules/parse/parse-result.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import { type OwnEntry, readConsulEntries } from './consul/read-entries.ts';
import { type FlatRule, ruleChunks } from './rule-chunks.ts';
import { parseResource, type ResponseHead, readResponse } from './xds/read-response.ts';

/** To the thread. */
export type ParseRequest =
  | { readonly kind: 'parse'; readonly file: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A DiscoveryResponse. */
  | { readonly kind: 'parse-response'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** What Consul answers: the files in it, as many as may be read and one more, come one by one, unparsed. */
  | { readonly kind: 'unpack-consul'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'next' };

/**
 * From the thread. Of a file: any number of `rules`, then one `end`. Of a response: `response`, then the same for each
 * resource, then `done`. Of keys: any number of `entry`, then `done`.
 */
export type ParsePiece =
  | { readonly kind: 'response'; readonly response: ResponseHead }
  | { readonly kind: 'rules'; readonly chunk: readonly FlatRule[] }
  | {
      readonly kind: 'end';
      readonly head: Omit<RulesDocument, 'descriptors'> | undefined;
      readonly issues: readonly ConfigIssue[];
    }
  | { readonly kind: 'entry'; readonly entry: OwnEntry }
  | { readonly kind: 'done' };

// On Linux this is about the thread alone: decisions come first, where there are not enough processors for both.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const chunkSize = 50;
let pieces: Generator<ParsePiece> | undefined;

parentPort?.on('message', (request: ParseRequest) => {
  if (request.kind === 'parse') pieces = parseFile(request.file, request.bytes);
  else if (request.kind === 'parse-response') pieces = parseResponse(request.bytes);
  else if (request.kind === 'unpack-consul') pieces = unpackConsul(request.bytes);
  const piece = pieces?.next().value;
  if (piece !== undefined)
    parentPort?.postMessage(piece, piece.kind === 'entry' ? [piece.entry.value.buffer] : []);
});

function* parseFile(file: string, bytes: Uint8Array): Generator<ParsePiece> {
  yield* piecesOf(parseRules(file, bytes));
}

function* parseResponse(bytes: Uint8Array): Generator<ParsePiece> {
  const { head, resources } = readResponse(bytes);
  yield { kind: 'response', response: head };
  for (const resource of resources) yield* piecesOf(parseResource(resource));
  yield { kind: 'done' };
}

function* unpackConsul(bytes: Uint8Array): Generator<ParsePiece> {
  for (const entry of readConsulEntries(bytes)) yield { kind: 'entry', entry };
  yield { kind: 'done' };
}

function* piecesOf({ document, issues }: ParseResult): Generator<ParsePiece> {
  if (document !== undefined) {
    for (const chunk of ruleChunks(document.descriptors, chunkSize)) yield { kind: 'rules', chunk };
  }
  yield { kind: 'end', head: headOf(document), issues };
}

function headOf(document: RulesDocument | undefined): Omit<RulesDocument, 'descriptors'> | undefined {
  if (document === undefined) return undefined;
  const { descriptors: _, ...head } = document;
  return head;
}
