import { createHmac, createSecretKey } from 'node:crypto';
import type { Octets } from './octets.ts';

/**
 * What is stored and shown in place of a value that must not be seen: `#~` and its HMAC-SHA-256 in base64url, the same
 * for equal values only. Without the secret nobody can try values out, as one can with a plain hash of an address.
 */
export type KeyedHash = (value: Octets) => Octets;

/** No text in a counter's key begins so: `#` of a value is escaped, and a plain hash has no `~`. */
const mark = '#~';

/** The hash of one secret, which all replicas share: with another one, each would count alone. */
export function createKeyedHash(secret: Buffer): KeyedHash {
  const key = createSecretKey(secret);
  return (value) =>
    `${mark}${createHmac('sha256', key).update(value, 'latin1').digest('base64url')}` as Octets;
}

/** Characters of the hash that are left of it where room is short: 96 bits, which no two values have in common. */
const shortLength = 16;

/** The beginning of a {@link KeyedHash}, for labels of metrics. */
export function shortHash(hash: Octets): string {
  return hash.slice(0, mark.length + shortLength);
}
