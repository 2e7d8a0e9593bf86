import { hash } from 'node:crypto';
import type { Entry } from './descriptor.ts';
import type { KeyedHash } from './keyed-hash.ts';
import type { Octets } from './octets.ts';

/**
 * The key of a counter in the store:
 *
 *     <prefix>v1{<domain>|<key>=<value>|<key>=<value>}<how it counts>
 *
 * Keys are readable, printable ASCII, and injective: different identities never share one. Every octet of the caller's
 * text that has a meaning here, or is not printable, is written as %XX. The braces are Redis Cluster's hash tag, so all
 * limits of one descriptor share a slot; braces of callers and of the prefix are escaped and never become one.
 * How a counter counts is the seconds of its window, or the id of another way to count (`counting.ts`).
 * A shared pattern stands in place of its value with its stars unescaped, which no value has. An address that a rule has
 * read, and a network, are written in their one text after another `=`, which no value begins with.
 * A text of more than {@link maxText} octets is written as `#` and its SHA-256; what lies between the braces is written as
 * `##` and its SHA-256 when it has more than {@link maxIdentity} characters. A value that must not be seen is written as
 * its {@link KeyedHash}, however short it is, which begins with `#~`.
 *
 * The format is frozen by a test. A change is a new version: two versions count side by side during a rollout.
 */
export interface CounterKeys {
  /** What every key begins with. */
  readonly head: string;
}

const maxText = 128;
const maxIdentity = 512;

/** The head of all keys of one installation; `prefix` is CACHE_KEY_PREFIX. */
export function counterKeys(prefix: Octets): CounterKeys {
  return Object.freeze({ head: `${escapeOctets(prefix)}v1{` });
}

/** Puts a key together; `counting` is the seconds of a fixed window or the id of how it counts, `identity` is {@link identityOf}, or made of its parts. */
export function counterKey(keys: CounterKeys, identity: string, counting: number | string): string {
  const named = identity.length > maxIdentity ? `##${hash('sha256', identity, 'base64url')}` : identity;
  return `${keys.head}${named}}${counting}`;
}

/** The identity of a whole list of entries. */
export function identityOf(domain: Octets, entries: readonly Entry[]): string {
  let identity = identityOfText(domain);
  for (const { key, value } of entries) identity += identityOfKey(key) + identityOfText(value);
  return identity;
}

/** The same where values of some keys must not be seen. @param hashOf undefined for a key whose values may be seen */
export function identityWithHashes(
  domain: Octets,
  entries: readonly Entry[],
  hashOf: (key: Octets) => KeyedHash | undefined,
): string {
  let identity = identityOfText(domain);
  for (const { key, value } of entries) {
    identity += identityOfKey(key) + (hashOf(key)?.(value) ?? identityOfText(value));
  }
  return identity;
}

/** A domain, or a value. */
export function identityOfText(octets: Octets): string {
  if (octets.length <= maxText) return escapeOctets(octets);
  return `#${hash('sha256', Buffer.from(octets, 'latin1'), 'base64url')}`;
}

/** A key, with what stands before it and before its value. */
export function identityOfKey(key: Octets): string {
  return `|${identityOfText(key)}=`;
}

/** A pattern as it stands in the identity of a shared counter. */
export function identityOfPattern(pattern: Octets): string {
  return (pattern.split('*') as Octets[]).map(escapeOctets).join('*');
}

/** An address or a network in its one text, or the hash of that. Equal for equal ones only, whatever a value may be. */
export function identityOfAddress(text: string): string {
  return `=${text}`;
}

/** Networks as they stand in the identity of the counter that they share. */
export function identityOfNetworks(cidrs: readonly string[]): string {
  return identityOfAddress(identityOfText(cidrs.join(',') as Octets));
}

const plain = new Uint8Array(256);
for (let code = 0x21; code < 0x7f; code++) plain[code] = 1;
for (const special of '%*{}|=#') plain[special.charCodeAt(0)] = 0;

/** Text with every octet that is special in a key, or not printable ASCII, as %XX. Injective. */
function escapeOctets(octets: Octets): string {
  for (let i = 0; i < octets.length; i++) {
    if (plain[octets.charCodeAt(i)] === 0) return escapeFrom(octets, i);
  }
  return octets;
}

function escapeFrom(octets: Octets, first: number): string {
  let escaped = octets.slice(0, first);
  for (let i = first; i < octets.length; i++) {
    const code = octets.charCodeAt(i);
    escaped += plain[code] === 1 ? octets[i] : `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}
