import type { Hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

const pieceBytes = 256 * 1024;

/** Hashes in pieces, over as many turns of the loop as there are, so that decisions go on meanwhile. */
export async function hashInTurns(hash: Hash, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    hash.update(bytes.subarray(at, at + pieceBytes));
    await turn();
  }
}
