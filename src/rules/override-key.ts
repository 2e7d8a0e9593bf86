import { type CounterKeys, counterKey, identityOf, identityWithHashes } from '../domain/counter-key.ts';
import type { Octets } from '../domain/octets.ts';
import type { DomainRules } from './rule-set.ts';
import type { HashOfKey } from './sensitive.ts';

/** The function from the entries of a limit that a request brings to its counter's key: all of them are its identity. */
export function overrideKey(
  domain: Octets,
  keys: CounterKeys,
  hashOfKey: HashOfKey | undefined,
): DomainRules['overrideKey'] {
  if (hashOfKey === undefined) {
    return (entries, windowSeconds) => counterKey(keys, identityOf(domain, entries), windowSeconds);
  }
  return (entries, windowSeconds) =>
    counterKey(keys, identityWithHashes(domain, entries, hashOfKey), windowSeconds);
}
