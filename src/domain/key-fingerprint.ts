import type { Entry } from './descriptor.ts';
import type { Octets } from './octets.ts';

/**
 * Goes with a counter's key, so that hits on one key are found without reading keys: nearly always different for
 * different keys, and the same for a key that was made the same way. A hint only, which is never stored. 32 bits, signed.
 */
export type KeyFingerprint = number;

/** Takes a text into a fingerprint, as FNV-1a does. */
export function fingerprintWith(fingerprint: KeyFingerprint, octets: Octets | string): KeyFingerprint {
  let next = fingerprint ^ octets.length;
  for (let i = 0; i < octets.length; i++) next = Math.imul(next ^ octets.charCodeAt(i), 0x01000193);
  return next;
}

/** Of the key for a limit that a request brings. */
export function fingerprintOf(entries: readonly Entry[], windowSeconds: number): KeyFingerprint {
  let fingerprint: KeyFingerprint = windowSeconds;
  for (const { value } of entries) fingerprint = fingerprintWith(fingerprint, value);
  return fingerprint;
}
