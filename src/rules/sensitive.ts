import type { KeyedHash } from '../domain/keyed-hash.ts';
import { type Octets, octetsOf } from '../domain/octets.ts';
import type { ConfigIssue, IssueSeverity } from './issue.ts';
import type { Position, RuleDocument, RulesDocument } from './rules-document.ts';

/** What is said of sensitive values for all rules. */
export interface SensitiveOptions {
  /** The values of every domain are sensitive (SENSITIVE_VALUES). */
  readonly everywhere: boolean;
  /** Made of SENSITIVE_HASH_KEY; without it a domain with sensitive values is refused. */
  readonly keyedHash: KeyedHash | undefined;
}

/** What stands for the values of a key in a descriptor without a rule; undefined: they may be seen. */
export type HashOfKey = (key: Octets) => KeyedHash | undefined;

/** Where a domain is said to have sensitive values. */
export interface SensitivePlace {
  readonly file: string;
  readonly at: Position;
  /** For messages: what is sensitive there. */
  readonly what: string;
}

/** The first place of a domain, in its own files or else in the settings; undefined where nothing is sensitive. */
export function findSensitive(
  documents: readonly RulesDocument[],
  everywhere: boolean,
): SensitivePlace | undefined {
  for (const { file, at, domain, options, descriptors } of documents) {
    if (options.sensitive === true) return { file, at, what: `domain '${domain}' is sensitive` };
    const rule = findSensitiveRule(descriptors);
    if (rule !== undefined) return { file, at: rule.at, what: `the rule for key '${rule.key}' is sensitive` };
  }
  const [first] = documents;
  if (!everywhere || first === undefined) return undefined;
  return { file: first.file, at: first.at, what: 'SENSITIVE_VALUES makes all values sensitive' };
}

function findSensitiveRule(rules: readonly RuleDocument[]): RuleDocument | undefined {
  for (const rule of rules) {
    const found = rule.sensitive ? rule : findSensitiveRule(rule.descriptors);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param severity `error` where the secret is needed, `lint` where its lack is only pointed out */
export function withoutKey(severity: IssueSeverity, { file, at, what }: SensitivePlace): ConfigIssue {
  const settings = 'SENSITIVE_HASH_KEY or SENSITIVE_HASH_KEY_FILE';
  const message =
    severity === 'error'
      ? `${what}, and there is no secret to hash its values with, so the domain is refused; set ${settings}`
      : `${what}, and the server refuses the domain unless it has ${settings}`;
  return { severity, code: 'sensitive-without-key', file, ...at, message };
}

/**
 * Which values of a domain may be seen where no rule says it: those of keys that have rules, none of them sensitive. Other
 * keys may be misspelt sensitive ones.
 */
export function hashOfKeys(documents: readonly RulesDocument[], all: boolean, hash: KeyedHash): HashOfKey {
  if (all) return () => hash;
  const readable = new Set<Octets>();
  const sensitive = new Set<Octets>();
  const collect = (rules: readonly RuleDocument[], isBelowSensitive: boolean) => {
    for (const rule of rules) {
      const isSensitive = isBelowSensitive || rule.sensitive;
      (isSensitive ? sensitive : readable).add(octetsOf(rule.key));
      collect(rule.descriptors, isSensitive);
    }
  };
  for (const { descriptors } of documents) collect(descriptors, false);
  for (const key of sensitive) readable.delete(key);
  return (key) => (readable.has(key) ? undefined : hash);
}
