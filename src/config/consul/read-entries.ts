import type { KeyEntry } from '../remote/key-files.ts';

/**
 * Reads what Consul's `/v1/kv/PREFIX?recurse` answers: a list of objects with a `Key` and a `Value` in base64, which is null
 * for an empty one. Throws where it is something else. With many keys this takes long, so that it is for a thread.
 */
export function* readConsulEntries(body: Uint8Array): Generator<KeyEntry> {
  const list: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (!Array.isArray(list)) throw new Error('it is no list of keys');
  for (const one of list as readonly { readonly Key?: unknown; readonly Value?: unknown }[]) {
    const { Key: key, Value: value } = one ?? {};
    if (typeof key !== 'string' || (typeof value !== 'string' && value !== null)) {
      throw new Error('it has a key without a name or a value');
    }
    yield { key, value: Buffer.from(value ?? '', 'base64') };
  }
}
