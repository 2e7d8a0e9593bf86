import { createKeyedHash, type KeyedHash } from '../domain/keyed-hash.ts';
import { minHashKeyLength } from '../settings/hash-key.ts';
import type { SecretSource } from '../settings/secret.ts';
import type { SensitiveSettings } from '../settings/settings.ts';
import { readNamedFile, withoutLineEnd } from './read-named-file.ts';

/**
 * The hash for sensitive values; undefined without a key. The file is read this once: with another key every counter would
 * begin anew. Throws, with a sentence, when it cannot be used.
 */
export function readKeyedHash({ key }: SensitiveSettings): KeyedHash | undefined {
  return key === undefined ? undefined : createKeyedHash(secretOf(key));
}

function secretOf(key: SecretSource): Buffer {
  if (key.kind === 'given') return Buffer.from(key.text.reveal());
  const text = readNamedFile('SENSITIVE_HASH_KEY_FILE', key.file, 'latin1');
  const secret = Buffer.from(withoutLineEnd(text), 'latin1');
  if (secret.length < minHashKeyLength) {
    throw new Error(`SENSITIVE_HASH_KEY_FILE: ${key.file} must hold at least ${minHashKeyLength} octets`);
  }
  return secret;
}
