import { expect, it } from 'vitest';
import { perHour, ruleDocument, rulesDocument } from '../../test/support/rule-document.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import { createConfigLoader } from './config-loader.ts';
import { fileIssue } from './file-issue.ts';

function document(file: string, domain: string): RulesDocument {
  return rulesDocument(file, domain, [ruleDocument({ key: 'ip', rateLimit: perHour(1) })]);
}

/** What is held back of each state, one after the other: files that do not count, and files that count as they were. */
async function heldBackOf(...states: readonly (readonly RulesDocument[])[]) {
  const { apply } = createConfigLoader({
    mergeDomains: false,
    keyPrefix: '',
    clock: { now: () => 0, monotonic: () => 0 },
    onLoad: () => {},
  });
  const told: unknown[] = [];
  for (const [index, documents] of states.entries()) {
    const broken = documents.length === 1 ? [fileIssue('error', 'yaml-syntax', 'b', 'it is broken')] : [];
    const result = await apply({ version: `${index}`, documents, issues: broken });
    const heldBack = result.kind === 'applied' ? result.heldBack : undefined;
    told.push(heldBack && [[...heldBack.refused].sort(), [...heldBack.earlier].sort()]);
  }
  return told;
}

const good = [document('b', 'shop'), document('c', 'blog')];

it.each([
  ['nothing, of what is good', good, undefined],
  ['a broken file, which counts as it was', [document('c', 'blog')], [['b'], ['b']]],
  [
    'both files of one domain, of which the older counts as it was',
    [document('a', 'shop'), document('b', 'shop'), document('c', 'blog')],
    [['a', 'b'], ['b']],
  ],
  [
    'two new files of one domain, while the old one has gone',
    [document('a', 'shop'), document('c', 'blog'), document('d', 'shop')],
    [['a', 'd'], ['b']],
  ],
  [
    'a file with another, refused domain: it counts as it was',
    [document('a', 'wiki'), document('b', 'wiki'), document('c', 'blog')],
    [['a', 'b'], ['b']],
  ],
  [
    'two new files of one domain, whose old file has another now: it counts as it is and as it was',
    [document('a', 'shop'), document('b', 'wiki'), document('c', 'blog'), document('d', 'shop')],
    [['a', 'd'], ['b']],
  ],
])('holds back %s', async (_, next, heldBack) => {
  expect(await heldBackOf(good, next)).toEqual([undefined, heldBack]);
});

it('holds back a broken file of which there is nothing earlier', async () => {
  expect(await heldBackOf([document('c', 'blog')])).toEqual([[['b'], []]]);
});
