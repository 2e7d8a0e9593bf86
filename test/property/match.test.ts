import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Descriptor } from '../../src/domain/descriptor.ts';
import { type Octets, octetsOf, textOf } from '../../src/domain/octets.ts';
import { compileRules } from '../../src/rules/compile.ts';
import { explainMatch } from '../../src/rules/explain.ts';
import { match } from '../../src/rules/match.ts';
import type { RuleDocument } from '../../src/rules/rules-document.ts';
import { perHour, ruleDocument, rulesDocument } from '../support/rule-document.ts';

const word = fc.constantFrom('a', 'b', 'ab', 'aab');
const value = fc.oneof(word, fc.constant(''), fc.constantFrom('*', 'a*', '*b', 'a*b', '*a*', 'aa*'));

interface Level {
  readonly key: string;
  readonly value: string;
  readonly isLimited: boolean;
  readonly below: readonly Level[];
}

const level: fc.Arbitrary<Level> = fc.letrec<{ level: Level }>((tie) => ({
  level: fc.record({
    key: word,
    value,
    isLimited: fc.boolean(),
    below: fc.oneof(
      { maxDepth: 2 },
      fc.constant([]),
      fc.uniqueArray(tie('level'), { maxLength: 3, selector: place }),
    ),
  }),
})).level;

function place({ key, value }: Level): string {
  return `${key} ${value}`;
}

let nextId = 0;

/** Each rule gets its number as its limit, so that a match can be told from any other. */
function documentOf({ key, value, isLimited, below }: Level): RuleDocument {
  const rateLimit = isLimited ? perHour(nextId++) : undefined;
  return ruleDocument({ key, value, rateLimit, descriptors: below.map(documentOf) });
}

/** The plain second implementation: looks at every rule of a level, from the document. */
function matchPlainly(
  rules: readonly RuleDocument[],
  entries: readonly (readonly [string, string])[],
): number | undefined {
  let found: RuleDocument | undefined;
  let below = rules;
  for (const [key, value] of entries) {
    const ofKey = below.filter((rule) => rule.key === key);
    const patterns = ofKey.filter((rule) => rule.value.includes('*') && fits(rule.value, value));
    const rank = (rule: RuleDocument) =>
      rule.value.indexOf('*') * 100 + rule.value.replaceAll('*', '').length;
    found =
      ofKey.find((rule) => rule.value !== '' && !rule.value.includes('*') && rule.value === value) ??
      patterns.sort((a, b) => rank(b) - rank(a))[0] ??
      ofKey.find((rule) => rule.value === '');
    if (found === undefined) return undefined;
    below = found.descriptors;
  }
  const limit = found?.rateLimits[0]?.limit;
  return limit === undefined || limit === 'unlimited' ? undefined : limit.requestsPerUnit;
}

function fits(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^a-z]/g, ''));
  return new RegExp(`^${parts.join('.*')}$`).test(value);
}

it('compiled rules match as the document says, and the explanation agrees', () => {
  const entries = fc.array(fc.tuple(word, fc.oneof(word, fc.constant(''))), { maxLength: 3 });
  fc.assert(
    fc.property(fc.uniqueArray(level, { maxLength: 5, selector: place }), entries, (levels, texts) => {
      nextId = 0;
      const descriptors = levels.map(documentOf);
      const document = rulesDocument('f', 'd', descriptors);
      const { ruleSet } = compileRules([document], { mergeDomains: false, keyPrefix: '', version: '1' });
      const domain = ruleSet?.domains.get(octetsOf('d'));
      if (ruleSet === undefined || domain === undefined) throw new Error('refused');
      const descriptor: Descriptor = {
        entries: texts.map(([key, value]) => ({ key: octetsOf(key), value: octetsOf(value) })),
        limit: undefined,
        hitsAddend: undefined,
        isNegativeHits: false,
      };
      const rule = match(domain, descriptor);
      const limit = rule?.limits[0]?.limit.requestsPerUnit;
      expect(limit).toBe(matchPlainly(descriptors, texts));
      expect(explainMatch(ruleSet, 'd' as Octets, descriptor).rule).toBe(rule);
      if (rule !== undefined) expect(textOf(rule.domain)).toBe('d');
    }),
    { numRuns: 5_000 },
  );
});
