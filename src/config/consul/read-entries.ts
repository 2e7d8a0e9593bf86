import { maxFiles } from '../list-files.ts';
import { isFolder, type KeyEntry } from '../remote/key-files.ts';

/** An entry whose octets have memory to themselves, so that they can be given to another thread. */
export type OwnEntry = KeyEntry & { readonly value: Uint8Array<ArrayBuffer> };

/**
 * Reads what Consul's `/v1/kv/PREFIX?recurse` answers: a list of objects with a `Key` and a `Value` in base64, which is null
 * for an empty one. Folders are left out, and one file more than may be read is the last: that is enough to refuse them all.
 * Throws where it is something else. With many keys this takes long, so that it is for a thread.
 */
export function* readConsulEntries(body: Uint8Array): Generator<OwnEntry> {
  const list: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (!Array.isArray(list)) throw new Error('it is no list of keys');
  let files = 0;
  for (const one of list as readonly { readonly Key?: unknown; readonly Value?: unknown }[]) {
    const { Key: key, Value: value } = one ?? {};
    if (typeof key !== 'string' || (typeof value !== 'string' && value !== null)) {
      throw new Error('it has a key without a name or a value');
    }
    if (isFolder(key)) continue;
    // A copy: small buffers are parts of a pool of 64 KiB, all of which would go along with each.
    yield { key, value: new Uint8Array(Buffer.from(value ?? '', 'base64')) };
    files += 1;
    if (files > maxFiles) return;
  }
}
