import {
  type CounterKeys,
  counterKey,
  identityOfKey,
  identityOfPattern,
  identityOfText,
} from '../domain/counter-key.ts';
import type { Entry } from '../domain/descriptor.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import { fingerprintWith, type KeyFingerprint } from '../domain/key-fingerprint.ts';
import { type Octets, octetsOf, textOf } from '../domain/octets.ts';
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

/** A rule with everything computed that does not depend on a request. */
export function compileRule(
  document: RuleDocument,
  limited: RateLimitDocument,
  place: Place,
  keys: CounterKeys,
): Rule {
  return Object.freeze({
    ...place,
    path: [textOf(place.domain), ...place.levels.map(pathOfLevel)].join('.'),
    limit: limited.limit === 'unlimited' ? limited.limit : Object.freeze(limited.limit),
    requestsPerUnit: limited.requestsPerUnit,
    name: limited.name,
    replaces: Object.freeze([...limited.replaces]),
    shadowMode: document.shadowMode,
    quotaMode: document.quotaMode,
    metadata: document.metadata,
    detailedMetric: document.detailedMetric,
    at: document.at,
    ...(limited.limit === 'unlimited' ? noCounter : compileKey(place, limited.limit.windowSeconds, keys)),
  });
}

function pathOfLevel({ key, value }: RuleLevel): string {
  return value === '' ? key : `${key}_${value}`;
}

type CounterOfRule = Pick<Rule, 'counterKey' | 'keyFingerprint'>;

const noCounter: CounterOfRule = { counterKey: noKey, keyFingerprint: noKey };

function noKey(): never {
  throw new Error('an unlimited rule has no counter');
}

/** What a counter's identity is made of: before each open value a fixed text, and one at the end. */
interface IdentityParts {
  /** Positions of the levels whose value is read from the request. */
  readonly open: readonly number[];
  readonly fixed: readonly string[];
  readonly end: string;
}

/**
 * The functions from a request's entries to this rule's key. Only values that the rule leaves open are read from the
 * entries; what lies between them is joined beforehand.
 */
function compileKey(place: Place, windowSeconds: number, keys: CounterKeys): CounterOfRule {
  const parts = identityParts(place);
  const isHashed = parts.open.some((position) => place.levels[position]?.keyedHash !== undefined);
  const identityOf = isHashed ? hashedIdentity(place, parts) : readableIdentity(parts);
  const keyFingerprint = compileFingerprint(parts, windowSeconds);
  if (parts.open.length === 0) {
    const key = counterKey(keys, parts.end, windowSeconds);
    return { counterKey: () => key, keyFingerprint };
  }
  return { counterKey: (entries) => counterKey(keys, identityOf(entries), windowSeconds), keyFingerprint };
}

function readableIdentity({ open, fixed, end }: IdentityParts): (entries: readonly Entry[]) => string {
  return (entries) => {
    let identity = '';
    for (let i = 0; i < open.length; i++) {
      identity += fixed[i] + identityOfText((entries[open[i] as number] as Entry).value);
    }
    return identity + end;
  };
}

function compileFingerprint(
  { open, fixed, end }: IdentityParts,
  windowSeconds: number,
): CounterOfRule['keyFingerprint'] {
  const begun = [...fixed, end].reduce<KeyFingerprint>(fingerprintWith, windowSeconds);
  return (entries) => {
    let fingerprint = begun;
    for (const position of open)
      fingerprint = fingerprintWith(fingerprint, (entries[position] as Entry).value);
    return fingerprint;
  };
}

/** The same with a hash in the place of each open value that must not be seen. */
function hashedIdentity(
  { levels }: Place,
  { open, fixed, end }: IdentityParts,
): (entries: readonly Entry[]) => string {
  const values = open.map((position, i) => {
    const before = fixed[i] as string;
    return { position, before, write: levels[position]?.keyedHash ?? identityOfText };
  });
  return (entries) => {
    let identity = '';
    for (const { position, before, write } of values) {
      identity += before + write((entries[position] as Entry).value);
    }
    return identity + end;
  };
}

/**
 * Of a sensitive level a written value is hashed as well, so that no value of it is in any key; a shared pattern is none.
 */
function identityParts({ domain, levels }: Place): IdentityParts {
  const open: number[] = [];
  const fixed: string[] = [];
  let text = identityOfText(domain);
  levels.forEach((level, index) => {
    text += identityOfKey(octetsOf(level.key));
    const value = octetsOf(level.value);
    if (level.isPattern && level.shareThreshold) text += identityOfPattern(value);
    else if (!level.isPattern && value !== '') text += (level.keyedHash ?? identityOfText)(value);
    else {
      open.push(index);
      fixed.push(text);
      text = '';
    }
  });
  return { open, fixed, end: text };
}
