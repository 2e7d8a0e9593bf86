import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRules } from '../../src/rules/compile.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';
import type { ParseResult } from '../../src/rules/parse/parse-result.ts';
import { printRlconfig } from '../../src/rules/rlconfig.ts';

const folder = join(import.meta.dirname, '../conformance/data/config-load');

/** A load of files as the reference judged it; `README.md` beside the folder says what each field means. */
interface LoadCase {
  readonly name: string;
  readonly files: readonly string[];
  readonly merge?: boolean;
  readonly verdict: 'accept' | 'reject';
  readonly weir?: 'accept' | 'reject';
  readonly check?: 'accept' | 'reject';
  readonly why: string;
  readonly rlconfig?: readonly string[];
}

const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as readonly LoadCase[];

/** Milliseconds that the suite allows a checker for one case. */
const timeout = 10_000;

function load({ files, merge }: LoadCase) {
  const parsed = files.map((file) => parseRules(file, readFileSync(join(folder, 'files', file))));
  const documents = parsed.flatMap(({ document }) => (document === undefined ? [] : [document]));
  const options = { mergeDomains: merge === true, keyPrefix: '', version: '1' };
  const compiled = documents.length === 0 ? undefined : compileRules(documents, options);
  const issues = [...parsed.flatMap((result) => result.issues), ...(compiled?.issues ?? [])];
  return { parsed, issues, ruleSet: compiled?.ruleSet };
}

describe('files that the reference was asked to load', () => {
  it('are all here', () => {
    expect(cases).toHaveLength(224);
  });

  for (const loadCase of cases) {
    const verdict = loadCase.weir ?? loadCase.verdict;
    it(
      `${loadCase.name}: ${verdict}. ${loadCase.why}`,
      () => {
        const { issues, ruleSet, parsed } = load(loadCase);
        const errors = issues.filter((issue) => issue.severity === 'error');
        expect(ruleSet === undefined ? 'reject' : 'accept').toBe(verdict);
        expect(errors.length === 0 ? 'accept' : 'reject').toBe(loadCase.check ?? verdict);
        for (const result of parsed) expectSound(result);
      },
      timeout,
    );

    const dump = loadCase.rlconfig;
    if (verdict === 'accept' && dump !== undefined) {
      it(`${loadCase.name}: becomes the rules that /rlconfig shows`, () => {
        const { ruleSet } = load(loadCase);
        if (ruleSet === undefined) throw new Error('not accepted');
        const printed = ruleSet.rules.map((rule) =>
          printRlconfig({ ...ruleSet, rules: [rule] }).slice(0, -1),
        );
        expect(printed.sort()).toEqual([...dump].sort());
      });
    }
  }
});

/** What the reference accepts and ignores is accepted with an issue, so that `weir check --strict` can refuse it. */
describe('what has no effect is reported', () => {
  const codes = new Map([
    ['two-documents', 'second-document'],
    ['duplicate-key-top', 'duplicate-key'],
    ['duplicate-key-descriptors', 'duplicate-key'],
    ['duplicate-key-in-limit', 'duplicate-key'],
    ['misplaced-unit', 'misplaced-key'],
    ['misplaced-shadow', 'misplaced-key'],
    ['misplaced-limit', 'misplaced-key'],
    ['misplaced-domain', 'misplaced-key'],
    ['misplaced-limit-at-top', 'misplaced-key'],
    ['misplaced-metadata', 'misplaced-key'],
    ['unlimited-with-number', 'unlimited-with-limit'],
    ['unlimited-with-unknown-unit', 'unlimited-with-limit'],
  ]);

  for (const loadCase of cases.filter((each) => (each.weir ?? each.verdict) === 'accept')) {
    const code = codes.get(loadCase.name);
    it(`${loadCase.name}: ${code ?? 'nothing'}`, () => {
      const ignored = load(loadCase).issues.filter((issue) => issue.severity === 'ignored');
      expect(ignored.map((issue) => issue.code)).toEqual(code === undefined ? [] : [code]);
    });
  }
});

function expectSound({ document, issues }: ParseResult): void {
  expect(document === undefined).toBe(issues.some((issue) => issue.severity === 'error'));
}
