import { readFileSync } from 'node:fs';
import { createKeyedHash, type KeyedHash } from '../domain/keyed-hash.ts';
import { minHashKeyLength } from '../settings/hash-key.ts';
import type { HashKeySettings, SensitiveSettings } from '../settings/settings.ts';

/**
 * The hash for sensitive values; undefined without a key. The file is read this once: with another key every counter would
 * begin anew. Throws, with a sentence, when it cannot be used.
 */
export function readKeyedHash({ key }: SensitiveSettings): KeyedHash | undefined {
  return key === undefined ? undefined : createKeyedHash(secretOf(key));
}

function secretOf(key: HashKeySettings): Buffer {
  if (key.kind === 'given') return Buffer.from(key.text.reveal());
  const secret = withoutLineEnd(readOctets(key.file));
  if (secret.length < minHashKeyLength) {
    throw new Error(`SENSITIVE_HASH_KEY_FILE: ${key.file} must hold at least ${minHashKeyLength} octets`);
  }
  return secret;
}

function readOctets(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    throw new Error(
      `SENSITIVE_HASH_KEY_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

/** Editors and `echo` end a file with one, and the same secret in a variable has none. */
function withoutLineEnd(octets: string): Buffer {
  return Buffer.from(octets.replace(/[\r\n]+$/, ''), 'latin1');
}
