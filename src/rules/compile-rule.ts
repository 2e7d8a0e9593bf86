import {
  type CounterKeys,
  identityOfAddress,
  identityOfKey,
  identityOfNetworks,
  identityOfPattern,
  identityOfText,
} from '../domain/counter-key.ts';
import type { Entry } from '../domain/descriptor.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import { fingerprintWith, type KeyFingerprint } from '../domain/key-fingerprint.ts';
import { type Octets, octetsOf, textOf } from '../domain/octets.ts';
import { compileLimits, type RuleIdentity } from './compile-limits.ts';
import type { Rule, RuleLevel } from './rule.ts';
import type { RateLimitDocument, RuleDocument } from './rules-document.ts';

interface Place {
  readonly id: number;
  readonly domain: Octets;
  readonly levels: readonly RuleLevel[];
  readonly file: string;
  /** Of the nearest rule above or of the domain, where this rule has none itself. */
  readonly failurePolicy: FailurePolicy | undefined;
}

/** A rule with everything computed that does not depend on a request. @param limited one `unlimited`, or limits */
export function compileRule(
  document: RuleDocument,
  limited: readonly RateLimitDocument[],
  place: Place,
  keys: CounterKeys,
): Rule {
  const unlimited = limited.find(({ limit }) => limit === 'unlimited');
  return Object.freeze({
    ...place,
    path: [textOf(place.domain), ...place.levels.map(pathOfLevel)].join('.'),
    limits: Object.freeze(
      unlimited === undefined ? compileLimits(limited, compileIdentity(place), keys) : [],
    ),
    unlimitedRequests: unlimited?.requestsPerUnit ?? 0,
    names: Object.freeze(limited.map(({ name }) => name).filter((name) => name !== '')),
    replaces: Object.freeze(limited.flatMap(({ replaces }) => replaces)),
    shadowMode: document.shadowMode,
    quotaMode: document.quotaMode,
    metadata: document.metadata,
    detailedMetric: document.detailedMetric,
    at: document.at,
  });
}

function pathOfLevel({ key, value }: RuleLevel): string {
  return value === '' ? key : `${key}_${value}`;
}

/** What a counter's identity is made of: before each open value a fixed text, and one at the end. */
interface IdentityParts {
  /** Positions of the levels whose value is read from the request. */
  readonly open: readonly number[];
  readonly fixed: readonly string[];
  readonly end: string;
}

/**
 * How a request's entries become the identity of this rule's counters. Only values that the rule leaves open are read from
 * the entries; what lies between them is joined beforehand.
 */
function compileIdentity(place: Place): RuleIdentity {
  const parts = identityParts(place);
  const isPlain = parts.open.every((position) => isWrittenAsItIs(place.levels[position] as RuleLevel));
  return {
    fixed: parts.open.length === 0 ? parts.end : undefined,
    identityOf: isPlain ? plainIdentity(parts) : writtenIdentity(place, parts),
    fingerprintFrom: compileFingerprint(place, parts),
  };
}

function isWrittenAsItIs({ keyedHash, countedAs }: RuleLevel): boolean {
  return keyedHash === undefined && countedAs === undefined;
}

function plainIdentity({ open, fixed, end }: IdentityParts): (entries: readonly Entry[]) => string {
  return (entries) => {
    let identity = '';
    for (let i = 0; i < open.length; i++) {
      identity += fixed[i] + identityOfText((entries[open[i] as number] as Entry).value);
    }
    return identity + end;
  };
}

function compileFingerprint(
  { levels }: Place,
  { open, fixed, end }: IdentityParts,
): RuleIdentity['fingerprintFrom'] {
  return (seed) => {
    const begun = [...fixed, end].reduce<KeyFingerprint>(fingerprintWith, seed);
    return (entries) => {
      let fingerprint = begun;
      for (const position of open) {
        const { value } = entries[position] as Entry;
        fingerprint = fingerprintWith(fingerprint, levels[position]?.countedAs?.(value) ?? value);
      }
      return fingerprint;
    };
  };
}

/** The same with something else in the place of open values: a hash where they must not be seen, an address's one text. */
function writtenIdentity(
  { levels }: Place,
  { open, fixed, end }: IdentityParts,
): (entries: readonly Entry[]) => string {
  const values = open.map((position, i) => {
    const before = fixed[i] as string;
    return { position, before, write: writerOf(levels[position] as RuleLevel) };
  });
  return (entries) => {
    let identity = '';
    for (const { position, before, write } of values) {
      identity += before + write((entries[position] as Entry).value);
    }
    return identity + end;
  };
}

function writerOf({ keyedHash, countedAs }: RuleLevel): (value: Octets) => string {
  const write = keyedHash ?? identityOfText;
  if (countedAs === undefined) return write;
  return (value) => {
    const counted = countedAs(value);
    return counted === undefined ? write(value) : identityOfAddress(write(counted));
  };
}

/**
 * Of a sensitive level a written value is hashed as well, so that no value of it is in any key; a shared pattern or network
 * is none.
 */
function identityParts({ domain, levels }: Place): IdentityParts {
  const open: number[] = [];
  const fixed: string[] = [];
  let text = identityOfText(domain);
  levels.forEach((level, index) => {
    text += identityOfKey(octetsOf(level.key));
    const value = fixedValue(level);
    if (value !== undefined) text += value;
    else {
      open.push(index);
      fixed.push(text);
      text = '';
    }
  });
  return { open, fixed, end: text };
}

/** undefined where the request's value is read. */
function fixedValue({ value, isPattern, cidrs, shareThreshold, keyedHash }: RuleLevel): string | undefined {
  if (cidrs.length > 0) return shareThreshold ? identityOfNetworks(cidrs) : undefined;
  if (isPattern) return shareThreshold ? identityOfPattern(octetsOf(value)) : undefined;
  return value === '' ? undefined : (keyedHash ?? identityOfText)(octetsOf(value));
}
