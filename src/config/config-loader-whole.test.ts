import { expect, it } from 'vitest';
import { perHour, ruleDocument, rulesDocument } from '../../test/support/rule-document.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import { createConfigLoader } from './config-loader.ts';

/** A domain whose rules are keys with a limit in each hour. */
function domain(name: string, ...keys: readonly string[]): RulesDocument {
  const rules = keys.map((key) => ruleDocument({ key, rateLimit: perHour(1) }));
  return rulesDocument(`resource '${name}'`, name, rules);
}

function createLoader() {
  const loader = createConfigLoader({
    mergeDomains: false,
    keyPrefix: '',
    clock: { now: () => 0, monotonic: () => 0 },
    onLoad: () => {},
  });
  let version = 0;
  return {
    paths: () => loader.current()?.rules.map(({ path }) => path),
    load: (documents: readonly RulesDocument[], issues: readonly ConfigIssue[] = []) =>
      loader.apply({ version: String(++version), documents, issues, wholeOnly: true }),
  };
}

const broken: ConfigIssue = {
  severity: 'error',
  code: 'some-error',
  file: "resource 'wiki'",
  line: 0,
  column: 0,
  message: 'it is wrong',
};

it('takes a snapshot without errors, lints and all', async () => {
  const { load, paths } = createLoader();
  const lint = { ...broken, severity: 'lint' } as const;
  expect(await load([domain('shop', 'ip')], [lint])).toMatchObject({ kind: 'applied', issues: [lint] });
  expect(paths()).toEqual(['shop.ip']);
});

it.each([
  ['its source', [domain('shop', 'a')], [broken], ['some-error']],
  ['the compiler', [domain('shop', 'a', 'a'), domain('blog', 'a')], [], ['duplicate-rule']],
  ['both', [domain('shop', 'a', 'a'), domain('blog', 'a')], [broken], ['some-error', 'duplicate-rule']],
])('rejects a snapshot whole for errors of %s, and names them all', async (_, documents, issues, codes) => {
  const { load, paths } = createLoader();
  await load([domain('shop', 'ip')]);
  const result = await load(documents, issues);
  expect(result.kind).toBe('rejected');
  expect('issues' in result && result.issues.map(({ code }) => code)).toEqual(codes);
  expect(paths()).toEqual(['shop.ip']);
});

it('takes a snapshot without any domain', async () => {
  const { load, paths } = createLoader();
  await load([domain('shop', 'ip')]);
  expect(await load([])).toMatchObject({ kind: 'applied' });
  expect(paths()).toEqual([]);
});
