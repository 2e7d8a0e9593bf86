import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RuleDocument } from '../rules-document.ts';
import { parseRules } from './parse.ts';

const parse = (text: string) => parseRules('x.yaml', Buffer.from(text));
const codes = (text: string) => parse(text).issues.map((issue) => issue.code);

/** The rules of a file that must be accepted. */
function rulesOf(text: string): readonly RuleDocument[] {
  const { document, issues } = parse(text);
  if (document === undefined) throw new Error(issues.map((issue) => issue.message).join('; '));
  return document.descriptors;
}

const ruleOf = (text: string) => rulesOf(`domain: d\ndescriptors: [${text}]`)[0] as RuleDocument;
const limitOf = (text: string) => ruleOf(`{key: k, rate_limit: {${text}}}`).rateLimits[0]?.limit;

describe('a whole file', () => {
  it('becomes plain data with the place of each rule', () => {
    const { document, issues } = parse(
      'domain: shop\nfailure_policy: local\nrefunds: false\nclients: [a.example, 7]\ndescriptors:\n' +
        '  - key: ip\n    value: 10.*\n    share_threshold: on\n    failure_policy: deny\n    sensitive: true\n' +
        '    rate_limit: {unit: Day, requests_per_unit: 010, name: n, replaces: [{name: 5}]}\n' +
        '    descriptors:\n      - {key: path, quota_mode: true, rate_limit: {unlimited: true}}\n',
    );
    expect(issues).toEqual([]);
    const flags = { shadowMode: false, quotaMode: false, detailedMetric: false, valueToMetric: false };
    const unsaid = { cidrs: [], aggregate: undefined };
    const counting = { algorithm: { kind: 'fixed_window' }, warnAt: [] };
    expect(document).toEqual({
      file: 'x.yaml',
      domain: 'shop',
      at: { line: 1, column: 9 },
      options: { failurePolicy: 'local', refunds: false, sensitive: undefined, clients: ['a.example', '7'] },
      exemptions: [],
      descriptors: [
        {
          ...flags,
          ...unsaid,
          at: { line: 6, column: 5 },
          key: 'ip',
          value: '10.*',
          shareThreshold: true,
          failurePolicy: 'deny',
          sensitive: true,
          metadata: undefined,
          rateLimits: [
            {
              ...counting,
              at: { line: 11, column: 17 },
              name: 'n',
              replaces: ['5'],
              requestsPerUnit: 8,
              limit: { requestsPerUnit: 8, windowSeconds: 86_400, unit: 'DAY', name: 'n' },
            },
          ],
          descriptors: [
            {
              ...flags,
              ...unsaid,
              at: { line: 13, column: 9 },
              key: 'path',
              value: '',
              quotaMode: true,
              shareThreshold: false,
              failurePolicy: undefined,
              sensitive: false,
              metadata: undefined,
              rateLimits: [
                {
                  ...counting,
                  at: { line: 13, column: 51 },
                  name: '',
                  replaces: [],
                  limit: 'unlimited',
                  requestsPerUnit: 0,
                },
              ],
              descriptors: [],
            },
          ],
        },
      ],
    });
  });

  it('is plain data, so that it can come from a worker thread', () => {
    const { document } = parse('domain: d\ndescriptors: [{key: k, metadata: {a: [1, {b: ~}]}}]');
    expect(structuredClone(document)).toEqual(document);
  });
});

describe('windows', () => {
  it.each([
    ['1s', 1, 'SECOND'],
    ['10s', 10, undefined],
    ['60s', 60, 'MINUTE'],
    ['5m', 300, undefined],
    ['24h', 86_400, 'DAY'],
    ['7d', 604_800, 'WEEK'],
    ['365d', 31_536_000, 'YEAR'],
    ['366d', 31_622_400, undefined],
  ])('window: %s is %d seconds and the unit %s', (window, windowSeconds, unit) => {
    expect(limitOf(`window: ${window}, requests_per_unit: 3`)).toEqual({
      requestsPerUnit: 3,
      windowSeconds,
      unit,
      name: '',
    });
  });
});

describe('cases from users', () => {
  it('C03: a typo in a leaf is refused with its line and the word that was meant', () => {
    const { document, issues } = parse(
      'domain: d\ndescriptors:\n- key: ip\n  rate_limit: {unlimted: true}\n',
    );
    expect(document).toBeUndefined();
    expect(issues).toEqual([
      {
        severity: 'error',
        code: 'unknown-key',
        file: 'x.yaml',
        line: 4,
        column: 16,
        message: "unknown key 'unlimted', did you mean 'unlimited'?",
      },
    ]);
  });

  it('C09: unlimited with a unit is refused with the reason, alone accepted, with a number accepted with a warning', () => {
    expect(
      parse('domain: d\ndescriptors: [{key: k, rate_limit: {unlimited: true, unit: minute}}]'),
    ).toMatchObject({
      document: undefined,
      issues: [{ severity: 'error', message: expect.stringContaining('an unlimited rule has no window') }],
    });
    expect(limitOf('unlimited: true')).toBe('unlimited');
    expect(limitOf('unlimited: true, requests_per_unit: 0')).toBe('unlimited');
    expect(
      parse('domain: d\ndescriptors: [{key: k, rate_limit: {unlimited: true, requests_per_unit: 0}}]').issues,
    ).toMatchObject([{ severity: 'ignored', code: 'unlimited-with-limit' }]);
  });

  it('C11: rules whose joined text is equal are two rules', () => {
    const text = 'domain: api\ndescriptors:\n- {key: a, value: b_c}\n- {key: a_b, value: c}\n';
    expect(rulesOf(text).map(({ key, value }) => [key, value])).toEqual([
      ['a', 'b_c'],
      ['a_b', 'c'],
    ]);
  });

  it('C01: two limits under rate_limit are refused with a hint to the list', () => {
    const { issues } = parse('domain: d\ndescriptors: [{key: k, rate_limit: [{unit: second}]}]');
    expect(issues[0]?.message).toContain("write a list under 'rate_limits', such as [4/second, 20/day]");
  });
});

describe('metadata', () => {
  const metadataOf = (text: string) => ruleOf(`{key: k, metadata: ${text}}`).metadata;

  it('has the kinds of YAML 1.1', () => {
    expect(
      metadataOf('{a: yes, b: 010, c: 1_000, d: .5, e: ~, f: 1:30, g: 2026-01-31, h: "no", i: [1.10]}'),
    ).toEqual({
      a: true,
      b: 8,
      c: 1_000,
      d: 0.5,
      e: null,
      f: '1:30',
      g: '2026-01-31',
      h: 'no',
      i: [1.1],
    });
  });

  it('has keys as they are written on the first level, and as what they mean below', () => {
    expect(metadataOf('{yes: 1, 5: 2, on: {off: 3, 7: 4, 1.5: 5, plain: 6, ~: 7}}')).toEqual({
      yes: 1,
      '5': 2,
      on: { false: 3, '7': 4, '1.5': 5, plain: 6, '~': 7 },
    });
  });

  it('shows numbers that JSON lacks as text', () => {
    expect(metadataOf('{a: .inf, b: -.inf, c: .nan}')).toEqual({ a: 'Infinity', b: '-Infinity', c: 'NaN' });
  });

  it('may have a key __proto__', () => {
    const metadata = metadataOf('{__proto__: {polluted: yes}}') as object;
    expect(Object.keys(metadata)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
    expect('polluted' in metadata).toBe(false);
  });

  it('takes merge keys and aliases', () => {
    expect(metadataOf('{a: &a {x: 1, z: 2}, b: {<<: *a, z: 3}, c: *a}')).toEqual({
      a: { x: 1, z: 2 },
      b: { x: 1, z: 3 },
      c: { x: 1, z: 2 },
    });
  });
});

describe('merge keys', () => {
  it('give what a later key overwrites, and of a list the first counts most', () => {
    const limit = limitOf('<<: [{unit: day}, {unit: hour, requests_per_unit: 1}], requests_per_unit: 2');
    expect(limit).toMatchObject({ unit: 'DAY', requestsPerUnit: 2 });
  });

  it('overwrite what stands before them, as in the reference, and say so', () => {
    const text =
      'domain: d\ndescriptors: [{key: k, rate_limit: {unit: day, <<: {unit: hour}, requests_per_unit: 1}}]';
    expect(rulesOf(text)[0]?.rateLimits[0]?.limit).toMatchObject({ unit: 'HOUR' });
    expect(codes(text)).toEqual(['overwritten-by-merge']);
  });

  it('take nothing but mappings', () => {
    expect(codes('domain: d\n<<: 5\n')).toEqual(['merge-value']);
    expect(codes('domain: d\n<<: [5]\n')).toEqual(['merge-value']);
  });

  it('are ordinary text in quotes', () => {
    expect(codes('domain: d\n"<<": {}\n')).toEqual(['unknown-key']);
  });
});

describe('what the reference accepts by accident', () => {
  it.each(['  domain: d\ndescriptors: []\n', '{domain: d}\n{domain: e}\n', 'domain: d\n]\n'])(
    '%j goes on behind its document and is refused, not read in half',
    (text) => {
      const { document, issues } = parse(text);
      expect(document).toBeUndefined();
      expect(new Set(issues.map((issue) => issue.code))).toEqual(new Set(['yaml-syntax']));
    },
  );

  it('a second document is reported, markers and comments behind the first are not', () => {
    expect(codes('domain: d\n---\nfoo\n')).toEqual(['second-document']);
    expect(codes('domain: d\n...\nfoo: bar\n')).toEqual(['second-document']);
    expect(codes('domain: d\n---\n# nothing\n...\n\n')).toEqual([]);
  });
});

describe('the configurations of the conformance suite are accepted as they are', () => {
  const suite = join(import.meta.dirname, '../../../test/conformance/data');
  it.each(globSync('*/config/*.yaml', { cwd: suite }))('%s', (file) => {
    const { document, issues } = parseRules(file, readFileSync(join(suite, file)));
    expect(document).toBeDefined();
    expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  });
});
