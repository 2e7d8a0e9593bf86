import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ruleDocument } from '../../test/support/rule-document.ts';
import type { RuleDocument } from '../rules/rules-document.ts';
import { createRuleTree, ruleChunks } from './rule-chunks.ts';

function rule(key: string, descriptors: readonly RuleDocument[] = []): RuleDocument {
  return ruleDocument({ key, descriptors });
}

function trees(levels: number): fc.Arbitrary<RuleDocument[]> {
  const below = levels === 1 ? fc.constant([]) : trees(levels - 1);
  return fc.array(
    fc.tuple(fc.string(), below).map(([key, rules]) => rule(key, rules)),
    { maxLength: 4 },
  );
}

function rebuilt(rules: readonly RuleDocument[], size: number): readonly RuleDocument[] {
  const tree = createRuleTree();
  for (const chunk of ruleChunks(rules, size)) tree.add(structuredClone(chunk));
  return tree.rules;
}

it('gives every rule, those above before those below, in lists of the given size', () => {
  const rules = [rule('a', [rule('b'), rule('c', [rule('d')])]), rule('e')];
  const chunks = [...ruleChunks(rules, 2)].map((chunk) =>
    chunk.map(({ depth, rule }) => `${depth}${rule.key}`),
  );
  expect(chunks).toEqual([['0a', '1b'], ['1c', '2d'], ['0e']]);
});

it('gives no list for no rules', () => {
  expect([...ruleChunks([], 10)]).toEqual([]);
});

it('any tree comes back as it was', () => {
  fc.assert(
    fc.property(trees(4), fc.integer({ min: 1, max: 9 }), (tree, size) => {
      expect(rebuilt(tree, size)).toEqual(tree);
    }),
  );
});

it('takes a thousand levels', () => {
  let nested = rule('bottom');
  for (let level = 0; level < 1_000; level++) nested = rule(`level ${level}`, [nested]);
  let [one] = rebuilt([nested], 250);
  for (let level = 0; level < 1_000; level++) one = one?.descriptors[0];
  expect(one?.key).toBe('bottom');
});
