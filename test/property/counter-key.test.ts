import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counterKey,
  counterKeys,
  identityOfKey,
  identityOfPattern,
  identityOfText,
} from '../../src/domain/counter-key.ts';
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
const value = fc.oneof(text, fc.record({ pattern: octets.map((text) => `${text}*` as Octets) }));
const identity = fc.record({
  prefix: octets,
  domain: text,
  entries: fc.array(fc.tuple(text, value), { maxLength: 3 }),
  seconds: fc.constantFrom(1, 60, 160),
});

type Identity = typeof identity extends fc.Arbitrary<infer T> ? T : never;

function keyOf({ prefix, domain, entries, seconds }: Identity): string {
  let text = identityOfText(domain);
  for (const [key, value] of entries) {
    text +=
      identityOfKey(key) +
      (typeof value === 'string' ? identityOfText(value) : identityOfPattern(value.pattern));
  }
  return counterKey(counterKeys(prefix), text, seconds);
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

  it('are printable ASCII with exactly one pair of braces', () => {
    fc.assert(
      fc.property(identity, (one) => {
        expect(keyOf(one)).toMatch(/^[!-z|~]*v1\{[!-z|~]*\}[0-9]+$/);
      }),
    );
  });
});
