import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type YAMLError } from 'yaml';
import type { YamlNode } from '../../src/rules/yaml/yaml-node.ts';
import { readYaml } from '../../src/rules/yaml/yaml-reader.ts';

/**
 * The library's own composer as the plain second implementation: on small documents, where recursion does no harm, both
 * must read the same.
 */
type Plain = string | readonly Plain[] | { readonly pairs: readonly (readonly [Plain, Plain])[] };

function plainOf(node: YamlNode): Plain {
  switch (node.kind) {
    case 'alias':
      return '*';
    case 'scalar':
      return node.text;
    case 'sequence':
      return node.items.map(plainOf);
    case 'mapping':
      return { pairs: node.pairs.map(({ key, value }) => [plainOf(key), plainOf(value)]) };
  }
}

function plainOfLibrary(node: unknown): Plain {
  if (node === null || node === undefined) return '';
  if (isAlias(node)) return '*';
  if (isScalar(node)) return node.source ?? '';
  if (isSeq<Node>(node)) return node.items.map(plainOfLibrary);
  if (isMap<Node, Node>(node)) {
    return { pairs: node.items.map(({ key, value }) => [plainOfLibrary(key), plainOfLibrary(value)]) };
  }
  throw new Error('a node of no kind');
}

const options = {
  schema: 'failsafe',
  version: '1.1',
  uniqueKeys: false,
  strict: false,
  logLevel: 'silent',
} as const;

/** Lists and mappings as keys have rules of their own there; here they are refused whatever their form, a step later. */
const ofListsAsKeys: readonly string[] = ['IMPOSSIBLE', 'MULTILINE_IMPLICIT_KEY'];

function readByLibrary(text: string): { readonly faults: readonly string[]; readonly plain: Plain } {
  const [document] = parseAllDocuments(text, options) as {
    contents: unknown;
    errors: YAMLError[];
  }[];
  if (document === undefined) return { faults: [], plain: '' };
  return { faults: document.errors.map((error) => error.code), plain: plainOfLibrary(document.contents) };
}

const words = ['a', 'b c', "it's", '"q: \\n"', "'s'", '5', '~', '-x', 'a:b', 'x#y', '*a', '&a v', '!t v'];
const marks = [
  '\n',
  '\n  ',
  '\n    ',
  '- ',
  '\n- ',
  '\n  - ',
  ': ',
  ', ',
  '{',
  '}',
  '[',
  ']',
  ' ',
  ' # c\n',
  '|\n  t\n',
  '>\n  t\n',
];
const jumble = fc
  .array(fc.oneof(fc.constantFrom(...words), { weight: 2, arbitrary: fc.constantFrom(...marks) }), {
    maxLength: 14,
  })
  .map((parts) => `&a x: y\n${parts.join('')}`);

const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'grapheme-ascii', maxLength: 5 }), tie('node'), { maxKeys: 4 }),
  ),
})).node;

describe('the reader agrees with the library', () => {
  it('on jumbled text: what it reads, and that it cannot', () => {
    let read = 0;
    fc.assert(
      fc.property(jumble, (text) => {
        const ours = readYaml(text);
        const theirs = readByLibrary(text);
        if (theirs.faults.some((fault) => ofListsAsKeys.includes(fault))) return;
        const isRefused = ours.problems.some((problem) => problem.code !== 'unknown-alias');
        expect(isRefused, theirs.faults.join('; ')).toBe(theirs.faults.length > 0);
        if (ours.root === undefined) return;
        read += 1;
        expect(plainOf(ours.root)).toEqual(theirs.plain);
      }),
      { numRuns: 3_000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it('on JSON', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const ours = readYaml(text);
        expect(ours.problems).toEqual([]);
        expect(ours.root && plainOf(ours.root)).toEqual(readByLibrary(text).plain);
      }),
      { numRuns: 500 },
    );
  });
});
