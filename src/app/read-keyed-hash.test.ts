import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyedHash } from '../domain/keyed-hash.ts';
import { octetsOf } from '../domain/octets.ts';
import type { SecretSource } from '../settings/secret.ts';
import { createSecret } from '../settings/secret.ts';
import { readKeyedHash } from './read-keyed-hash.ts';

const directory = mkdtempSync(join(tmpdir(), 'weir-key-'));
afterAll(() => rmSync(directory, { recursive: true }));

const value = octetsOf('u-1');
const text = 'ein langer Schlüssel';

/** What becomes of a value with this key. */
function hashWith(key: SecretSource | undefined): string | undefined {
  return readKeyedHash({ everywhere: false, key })?.(value);
}

function hashWithFile(content: string | Buffer): string | undefined {
  const file = join(directory, 'key');
  writeFileSync(file, content);
  return hashWith({ kind: 'file', file });
}

describe('readKeyedHash()', () => {
  it('has none without a key', () => {
    expect(hashWith(undefined)).toBeUndefined();
  });

  it('takes the text of a variable', () => {
    const expected = createKeyedHash(Buffer.from(text))(value);
    expect(hashWith({ kind: 'given', text: createSecret(text) })).toBe(expected);
  });

  it.each([
    ['as it is', text],
    ['with a line end', `${text}\n`],
    ['with one of Windows', `${text}\r\n`],
  ])('takes the same text of a file, %s', (_, content) => {
    expect(hashWithFile(content)).toBe(createKeyedHash(Buffer.from(text))(value));
  });

  it('takes octets that are no text', () => {
    const key = Buffer.from([...Array(16).keys(), 0xff]);
    expect(hashWithFile(key)).toBe(createKeyedHash(key)(value));
  });

  it.each(['fifteen octets.\n', ''])('refuses %j, which is too short', (content) => {
    expect(() => hashWithFile(content)).toThrow(
      /^SENSITIVE_HASH_KEY_FILE: .*key must hold at least 16 octets$/,
    );
  });

  it('says so when there is no file', () => {
    expect(() => hashWith({ kind: 'file', file: '/no/such/key' })).toThrow(
      'SENSITIVE_HASH_KEY_FILE: /no/such/key cannot be read (ENOENT)',
    );
  });
});
