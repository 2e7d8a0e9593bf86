import { expect, it } from 'vitest';
import { ruleDocument, rulesDocument } from '../../test/support/rule-document.ts';
import { compileInSteps } from './compile.ts';

const options = { mergeDomains: false, keyPrefix: '', version: '1' };

it.each([
  ['one domain of many rules', 1, 1_000],
  ['many domains of one rule', 1_000, 1],
])('%s is compiled in many steps, between which others come in', (_, domains, rules) => {
  const documents = Array.from({ length: domains }, (_, domain) =>
    rulesDocument(
      `${domain}.yaml`,
      `domain-${domain}`,
      Array.from({ length: rules }, (_, key) => ruleDocument({ key: `key-${key}` })),
    ),
  );
  expect([...compileInSteps(documents, options)].length).toBeGreaterThanOrEqual(20);
});
