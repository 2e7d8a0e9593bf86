import { startParseThread, threadFault } from '../parse-thread.ts';
import type { KeyEntry } from '../remote/key-files.ts';
import { SourceUnavailable } from '../remote/source-unavailable.ts';

/** Has an answer of Consul read in a thread of its own: megabytes of JSON would hold decisions. The octets are given away. */
export async function unpackEntries(body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<KeyEntry[]> {
  const thread = startParseThread();
  const entries: KeyEntry[] = [];
  try {
    for await (const piece of thread.ask({ kind: 'unpack-consul', bytes: body }, signal)) {
      if (piece.kind === 'entry') entries.push(piece.entry);
      if (piece.kind === 'done') return entries;
    }
    throw new Error('the reader ended without an answer');
  } catch (error) {
    throw new SourceUnavailable(`the answer cannot be read: ${threadFault(error).message}`);
  } finally {
    await thread.end();
  }
}
