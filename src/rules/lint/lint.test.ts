import { describe, expect, it } from 'vitest';
import { parseRules } from '../parse/parse.ts';
import type { RulesDocument } from '../rules-document.ts';
import { lintRules } from './lint.ts';

function documentOf(text: string, file = 'x.yaml'): RulesDocument {
  const { document, issues } = parseRules(file, Buffer.from(text));
  if (document === undefined) throw new Error(issues.map((issue) => issue.message).join('; '));
  return document;
}

/** What is said about rules, as `line code`. */
function lint(...rules: string[]): readonly string[] {
  const text = `domain: d\n${rules.length === 0 ? '' : 'descriptors:\n'}${rules.map((rule) => `- ${rule}\n`).join('')}`;
  return lintRules([documentOf(text)]).map(({ line, code }) => `${line - 2} ${code}`);
}

const limit = 'rate_limit: {unit: hour, requests_per_unit: 5}';
const values = (...patterns: string[]) => patterns.map((value) => `{key: k, value: "${value}", ${limit}}`);

describe('names', () => {
  it('C13: replaces names a rule that nobody has', () => {
    const document = documentOf(
      'domain: d\ndescriptors:\n' +
        '- {key: a, rate_limit: {unit: hour, requests_per_unit: 5, name: real_name}}\n' +
        '- {key: b, rate_limit: {unlimited: true, replaces: [{name: rael_name}]}}\n',
    );
    expect(lintRules([document])).toEqual([
      {
        severity: 'lint',
        code: 'dangling-replaces',
        file: 'x.yaml',
        line: 4,
        column: 24,
        message: "no rule of this domain is named 'rael_name', did you mean 'real_name'?",
      },
    ]);
  });

  it('names are those of the domain, in all its files and levels', () => {
    const replacing = '- {key: b, rate_limit: {unlimited: true, replaces: [{name: n}]}}';
    const naming = '- {key: a, descriptors: [{key: c, rate_limit: {unlimited: true, name: n}}]}';
    const one = documentOf(`domain: d\ndescriptors:\n${replacing}\n`, 'one.yaml');
    expect(lintRules([one, documentOf(`domain: d\ndescriptors:\n${naming}\n`, 'two.yaml')])).toEqual([]);
    expect(lintRules([one, documentOf(`domain: e\ndescriptors:\n${naming}\n`, 'two.yaml')])).toMatchObject([
      { code: 'dangling-replaces', file: 'one.yaml' },
    ]);
  });

  it('a name that two rules have matters where it is replaced', () => {
    const named = ['a', 'b'].map(
      (key) => `{key: ${key}, rate_limit: {unit: hour, requests_per_unit: 5, name: n}}`,
    );
    expect(lint(...named)).toEqual([]);
    expect(lint(...named, '{key: c, rate_limit: {unlimited: true, replaces: [{name: n}]}}')).toEqual([
      '2 duplicate-name',
    ]);
  });
});

describe('rules that are never reached', () => {
  it.each([
    [['a*', 'a**'], ['2 unreachable-rule']],
    [['*', '**'], ['2 unreachable-rule']],
    [['a*b*c', 'a*bc'], ['2 unreachable-rule']],
    [['a*bc', 'a*b*c'], []],
    [['a*', 'ab*'], ['2 order-dependent-pattern']],
    [['ab*', 'a*'], []],
    [['a*c', 'a*b'], []],
  ])('patterns %j: %j', (patterns, expected) => {
    expect(lint(...values(...patterns))).toEqual(expected);
  });

  it('a key alone beside a pattern that takes every value', () => {
    expect(lint(...values('*'), `{key: k, ${limit}}`)).toEqual(['2 unreachable-rule']);
    expect(lint(...values('*a'), `{key: k, ${limit}}`)).toEqual([]);
  });

  it('networks beside a pattern that takes every value', () => {
    const networks = `{key: k, cidrs: [10.0.0.0/8], ${limit}}`;
    expect(lint(...values('*'), networks)).toEqual(['2 unreachable-rule']);
    expect(lint(...values('10.*'), networks, `{key: k, ${limit}}`)).toEqual([]);
  });
});

describe('patterns whose order matters to the reference', () => {
  it.each([
    [['*', 'a*'], ['2 order-dependent-pattern']],
    [['a*', '*'], []],
    [['*.png', '/img/*'], ['2 order-dependent-pattern']],
    [['/img/*', '*.png'], []],
    [['*.png', '/img/*.jpg'], []],
    [['/a*', '/b*'], []],
    [['a*', 'a*b'], ['2 order-dependent-pattern']],
    [
      ['*', '*a', 'a*'],
      ['2 order-dependent-pattern', '3 order-dependent-pattern'],
    ],
  ])('%j: %j', (patterns, expected) => {
    expect(lint(...values(...patterns))).toEqual(expected);
  });

  it('is not looked for beyond a bound, which is said', () => {
    const patterns = Array.from({ length: 3_000 }, (_, i) => `*.${i}`);
    expect(lint(...values(...patterns)).map((line) => line.split(' ')[1])).toEqual(['order-not-checked']);
  });
});

describe('rules without effect', () => {
  it.each([
    ['a value alone', ['{key: k, value: v}'], ['1 rule-without-effect']],
    ['a key alone', ['{key: k}'], ['1 rule-without-effect']],
    ['an exemption from the key', ['{key: k, value: v}', `{key: k, ${limit}}`], []],
    ['an exemption from a pattern', ['{key: k, value: vip}', ...values('v*')], []],
    ['networks alone', ['{key: k, cidrs: [10.0.0.0/8]}'], ['1 rule-without-effect']],
    ['networks out of the key', ['{key: k, cidrs: [10.0.0.0/8]}', `{key: k, ${limit}}`], []],
    [
      'networks out of larger ones',
      ['{key: k, cidrs: [10.1.0.0/16]}', `{key: k, cidrs: [10.0.0.0/8], ${limit}}`],
      [],
    ],
    ['a level above a limit', [`{key: k, descriptors: [{key: l, ${limit}}]}`], []],
    [
      'a mode above a limit',
      [`{key: k, shadow_mode: true, descriptors: [{key: l, ${limit}}]}`],
      ['1 without-limit'],
    ],
    [
      'metadata above a limit',
      [`{key: k, metadata: {a: b}, descriptors: [{key: l, ${limit}}]}`],
      ['1 without-limit'],
    ],
  ])('%s', (_name, rules, expected) => {
    expect(lint(...rules)).toEqual(expected);
  });
});

describe('texts that look right', () => {
  it('a star in a key, and white space around keys and values', () => {
    expect(lint(`{key: "k*", ${limit}}`)).toEqual(['1 star-in-key']);
    expect(lint(`{key: "k ", ${limit}}`)).toEqual(['1 surrounding-space']);
    expect(lint(`{key: k, value: " v", ${limit}}`)).toEqual(['1 surrounding-space']);
  });

  it('domains that differ in case or white space', () => {
    const documents = ['shop', 'Shop', 'other', 'shop '].map((domain) =>
      documentOf(`domain: "${domain}"`, `${domain}.yaml`),
    );
    expect(lintRules(documents).map(({ file, code }) => [file, code])).toEqual([
      ['Shop.yaml', 'similar-domain'],
      ['shop .yaml', 'similar-domain'],
      ['shop .yaml', 'surrounding-space'],
    ]);
  });
});

it('good rules give nothing to say', () => {
  expect(lint(`{key: k, value: v, ${limit}}`, ...values('a*', 'b*'), `{key: k, ${limit}}`)).toEqual([]);
});
