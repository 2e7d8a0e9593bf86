import type { Entry } from '../domain/descriptor.ts';
import type { Octets } from '../domain/octets.ts';
import type { Rule } from './rule.ts';
import type { DomainRules } from './rule-set.ts';

/** The value of an entry as it may be seen outside: itself, or its keyed hash. */
export type ShownValue = (entry: Entry, position: number) => Octets;

/** The domain may be a misspelt one that has sensitive rules, or one that is refused, and nobody knows its key. */
const unseen = '***' as Octets;

/**
 * How the values of a descriptor are shown.
 * @param domain undefined for a domain that is not configured
 * @param rule undefined where none matches, and for a limit of the request
 */
export function shownValues(domain: DomainRules | undefined, rule: Rule | undefined): ShownValue {
  if (domain === undefined) return () => unseen;
  if (rule !== undefined) return ({ value }, position) => shownAt(rule, position, value);
  return ({ key, value }) => domain.hashOfKey?.(key)?.(value) ?? value;
}

/** A hash is that of what is counted, as in the key of the counter. */
function shownAt({ levels }: Rule, position: number, value: Octets): Octets {
  const { keyedHash, countedAs } = levels[position] ?? {};
  return keyedHash === undefined ? value : keyedHash(countedAs?.(value) ?? value);
}
