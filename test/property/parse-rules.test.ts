import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRules } from '../../src/rules/parse/parse.ts';
import { decodeYaml } from '../../src/rules/yaml/yaml-text.ts';

const folder = join(import.meta.dirname, '../conformance/data/config-load/files');
const files = readdirSync(folder)
  .map((name) => readFileSync(join(folder, name)))
  .filter((content) => content.length < 1_000);

/** Pieces of YAML and of the language, to be put anywhere. */
const pieces = [
  ...[
    '\n',
    '\n  ',
    '  ',
    '\t',
    '\r',
    '- ',
    ': ',
    '? ',
    ', ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '#',
    ' # x\n',
    '|\n',
    '>-\n',
  ],
  ...[
    '&a ',
    '*a',
    '<<: *a',
    '!!str ',
    '!!int ',
    '!!binary ',
    '!x ',
    '%YAML 1.1\n',
    '---\n',
    '...\n',
    '\\',
    '\\u00e9',
  ],
  ...[
    '~',
    'yes',
    '010',
    '1.5',
    '.inf',
    '1_000',
    '0x1F',
    '2026-01-31',
    '-1',
    '99999999999999999999',
    '\u0000',
    '\ufeff',
    '\u2028',
    '🎉',
  ],
  ...[
    'domain: d\n',
    'descriptors:\n',
    '- key: k\n',
    'value: "a*"',
    'rate_limit: ',
    '{unit: day}',
    'window: 10s',
    'metadata: {a: 1}',
  ],
].map((piece) => Buffer.from(piece));

interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly inserted: Uint8Array;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(8),
  inserted: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, fc.uint8Array({ maxLength: 4 })),
});

const changedFile = fc
  .tuple(fc.constantFrom(...files), fc.array(edit, { minLength: 1, maxLength: 6 }))
  .map(([content, edits]) => edits.reduce(applyEdit, content));

function applyEdit(content: Buffer, { at, removed, inserted }: Edit): Buffer {
  const place = Math.floor(at * content.length);
  return Buffer.concat([content.subarray(0, place), inserted, content.subarray(place + removed)]);
}

/** Never an exception, an answer that is consistent, and places that an editor can go to. */
function expectSound(content: Uint8Array): void {
  const { document, issues } = parseRules('x.yaml', content);
  expect(document === undefined).toBe(issues.some((issue) => issue.severity === 'error'));
  const decoded = decodeYaml(content);
  const lines = decoded.kind === 'text' ? decoded.text.split('\n') : undefined;
  for (const { line, column, message } of issues) {
    expect(message).toMatch(/^[^\n\r]+$/);
    if (lines === undefined || line === 0) continue;
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual((lines[line - 1] as string).length + 1);
  }
  // It comes from a worker thread, and its metadata is shown as JSON.
  expect(structuredClone(document)).toEqual(document);
  JSON.stringify(document);
}

describe('whatever the bytes, there is an answer', () => {
  it('random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), expectSound), { numRuns: 500 });
  });

  it('random text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }).map((text) => Buffer.from(text)),
        expectSound,
      ),
      {
        numRuns: 500,
      },
    );
  });

  it('pieces of YAML in any order', () => {
    const jumble = fc
      .array(fc.constantFrom(...pieces), { maxLength: 60 })
      .map((parts) => Buffer.concat(parts));
    fc.assert(fc.property(jumble, expectSound), { numRuns: 1_000 });
  });

  it('changed files', () => {
    fc.assert(fc.property(changedFile, expectSound), { numRuns: 2_000 });
  });
});

describe('long files of one thing come to an end', () => {
  const repeated = [
    '[',
    '{a: ',
    '- ',
    '? ',
    '&a ',
    '*a ',
    '!x ',
    '[],',
    '"',
    "'",
    '#\n',
    '\n',
    ' ',
    '\t\n',
    '|\n',
  ];
  const structured = ['a: &a\n', '- <<: *a\n', 'a: b\n c\n', '{a: [b, {c: d}]}\n', ', {a: *a}'];

  it.each([...repeated, ...structured])('%j', (piece) => {
    for (const head of ['', 'domain: d\ndescriptors: &a\n', 'domain: &a {b: c}\nmetadata: [x']) {
      expectSound(Buffer.from(head + piece.repeat(20_000)));
    }
  });
});
