import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Octets } from '../../src/domain/octets.ts';
import { parsePattern } from '../../src/rules/patterns/pattern.ts';
import { findPatternFault } from '../../src/rules/patterns/pattern-bounds.ts';
import { createPatternIndex } from '../../src/rules/patterns/pattern-index.ts';

/** The plain second implementation: try every pattern by recursion, keep the most specific. */
function findPlainly(patterns: readonly string[], value: string): string | undefined {
  const fitting = patterns.filter((pattern) => fits(pattern, value));
  const rank = (pattern: string) => [pattern.indexOf('*'), pattern.replaceAll('*', '').length] as const;
  return fitting.sort((a, b) => rank(b)[0] - rank(a)[0] || rank(b)[1] - rank(a)[1])[0];
}

function fits(pattern: string, value: string): boolean {
  if (pattern === '') return value === '';
  if (pattern[0] !== '*') return pattern[0] === value[0] && fits(pattern.slice(1), value.slice(1));
  for (let taken = 0; taken <= value.length; taken++) {
    if (fits(pattern.slice(1), value.slice(taken))) return true;
  }
  return false;
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
/** With one star to six. */
const pattern = fc
  .array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 }), { minLength: 2, maxLength: 7 })
  .map((parts) => parts.join('*'));

describe('the pattern index', () => {
  it('M06: finds what trying every pattern would find', () => {
    fc.assert(
      fc.property(fc.uniqueArray(pattern, { maxLength: 12 }), letters, (patterns, value) => {
        const parsed = patterns.map((text, order) => parsePattern(text as Octets, order, text));
        fc.pre(findPatternFault(parsed) === undefined);
        expect(createPatternIndex(parsed).find(value as Octets)).toBe(findPlainly(patterns, value));
      }),
      { numRuns: 20_000 },
    );
  });
});
