import type { Apply, ApplyResult, Snapshot } from '../config-source.ts';
import { isError } from '../last-good.ts';
import { threadFault } from '../parse-thread.ts';
import { problemText } from './discovery-requests.ts';
import { type ParsedResponse, parseResponse } from './parse-response.ts';
import type { ResponseHead } from './read-response.ts';
import { resourceType } from './resource-type.ts';

/** What became of a response, and what its server is to be told. */
export type Verdict =
  /** What it says is in force. */
  | { readonly kind: 'accepted'; readonly head: ResponseHead }
  | { readonly kind: 'refused'; readonly head: ResponseHead; readonly problems: readonly string[] }
  /** Nobody asked for resources of this type. */
  | { readonly kind: 'other-type'; readonly head: ResponseHead }
  /** It is no response, so that there is nothing to be answered. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Takes one response at a time. */
export type ReceiveResponse = (message: Buffer, signal: AbortSignal) => Promise<Verdict>;

/** What was delivered last, on whatever stream. */
interface Delivered {
  readonly version: string;
  readonly result: ApplyResult;
}

export interface ResponseReceiverOptions {
  /** Snapshots have their content. */
  readonly withContent: boolean;
  /** Told what was thrown where a response could not be looked at. */
  readonly onFailure: (error: unknown) => void;
}

/** Delivers what is new. */
export function createResponseReceiver(apply: Apply, options: ResponseReceiverOptions): ReceiveResponse {
  let delivered: Delivered | undefined;

  async function resultFor(response: ParsedResponse, content: Snapshot['content']): Promise<ApplyResult> {
    const { contentVersion: version } = response.head;
    if (delivered?.version !== version) {
      delivered = { version, result: await apply({ ...(await response.snapshot()), content }) };
    }
    return delivered.result;
  }

  async function judge(
    response: ParsedResponse,
    content: Snapshot['content'],
    signal: AbortSignal,
  ): Promise<Verdict> {
    const { head } = response;
    if (head.typeUrl !== resourceType) return { kind: 'other-type', head };
    try {
      const result = await resultFor(response, content);
      if (result.kind !== 'rejected') return { kind: 'accepted', head };
      return { kind: 'refused', head, problems: result.issues.filter(isError).map(problemText) };
    } catch (error) {
      if (!signal.aborted) options.onFailure(error);
      return { kind: 'refused', head, problems: [threadFault(error).message] };
    }
  }

  return async (message, signal) => {
    let response: ParsedResponse;
    // A copy: the message is given away to be parsed.
    const content: Snapshot['content'] = options.withContent
      ? { kind: 'response', message: new Uint8Array(message) }
      : undefined;
    try {
      response = await parseResponse(ownOctets(message), signal);
    } catch (error) {
      return { kind: 'unreadable', reason: `a response cannot be read: ${threadFault(error).message}` };
    }
    try {
      return await judge(response, content, signal);
    } finally {
      await response.close();
    }
  };
}

/** What may stand before a message in its buffer: gRPC's prefix. */
const prefixOctets = 5;

/** Octets that can be given away, without a copy where the message has a buffer to itself. */
function ownOctets(message: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = message;
  if (buffer instanceof ArrayBuffer && buffer.byteLength - length <= prefixOctets) {
    return new Uint8Array(buffer, byteOffset, length);
  }
  return new Uint8Array(message);
}
