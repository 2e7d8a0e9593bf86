import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counterKey,
  counterKeys,
  identityOfKey,
  identityOfPattern,
  identityOfText,
} from '../../src/domain/counter-key.ts';
import { createKeyedHash } from '../../src/domain/keyed-hash.ts';
import type { Octets } from '../../src/domain/octets.ts';

/** Few different octets, so that collisions would be found; all that have a meaning are among them. */
const octets = fc
  .string({
    unit: fc.constantFrom('a', 'b', '|', '=', '%', '*', '{', '}', '#', '7', 'C', '\0', '\xff', '1'),
    maxLength: 5,
  })
  .map((text) => text as Octets);
/** Some are long enough to be hashed. */
const text = fc.oneof(
  { weight: 4, arbitrary: octets },
  octets.map((text) => text.repeat(60) as Octets),
);
const keyedHash = createKeyedHash(Buffer.from('0123456789abcdef'));
/** Text that a caller could send to be taken for the hash of another value. */
const forged = text.map(keyedHash);
const plain = fc.oneof({ weight: 4, arbitrary: text }, forged);
const value = fc.oneof(
  plain,
  fc.record({ pattern: octets.map((text) => `${text}*` as Octets) }),
  fc.record({ sensitive: plain }),
);
const identity = fc.record({
  prefix: octets,
  domain: text,
  entries: fc.array(fc.tuple(text, value), { maxLength: 3 }),
  seconds: fc.constantFrom(1, 60, 160),
});

type Identity = typeof identity extends fc.Arbitrary<infer T> ? T : never;

function keyOf({ prefix, domain, entries, seconds }: Identity): string {
  let text = identityOfText(domain);
  for (const [key, value] of entries) text += identityOfKey(key) + identityOfValue(value);
  return counterKey(counterKeys(prefix), text, seconds);
}

function identityOfValue(value: Identity['entries'][number][1]): string {
  if (typeof value === 'string') return identityOfText(value);
  return 'pattern' in value ? identityOfPattern(value.pattern) : keyedHash(value.sensitive);
}

describe('counter keys', () => {
  it('are the same for equal identities only', () => {
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        expect(keyOf(a) === keyOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 20_000 },
    );
  });

  it('have nothing in them of a sensitive value but its hash', () => {
    /** Letters that are nowhere else in the key, and enough of them to be in no hash by chance. */
    const secret = fc.string({
      unit: fc.constantFrom('s', 'e', 'c', 'r', 't'),
      minLength: 8,
      maxLength: 200,
    });
    fc.assert(
      fc.property(identity, secret, (one, secret) => {
        const sensitive = secret as Octets;
        const key = keyOf({ ...one, entries: [['user' as Octets, { sensitive }], ...one.entries] });
        expect(key).not.toContain(sensitive.slice(0, 8));
        expect(key).not.toContain(identityOfText(sensitive));
      }),
    );
  });

  it('are printable ASCII with exactly one pair of braces', () => {
    fc.assert(
      fc.property(identity, (one) => {
        expect(keyOf(one)).toMatch(/^[!-z|~]*v1\{[!-z|~]*\}[0-9]+$/);
      }),
    );
  });
});
