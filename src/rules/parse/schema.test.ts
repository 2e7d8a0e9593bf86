import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { decodeYaml } from '../yaml/yaml-text.ts';
import { parseRules } from './parse.ts';
import { allKeys } from './rules-language.ts';

const root = join(import.meta.dirname, '../../..');
const files = join(root, 'test/conformance/data/config-load/files');
const schema = JSON.parse(readFileSync(join(root, 'schema/rate-limit-config.schema.json'), 'utf8'));
const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);

/** Where an editor that reads YAML 1.2 and knows the schema must judge otherwise than the parser, and why. */
const exceptions = new Map([
  ...because('YAML 1.2 has no merge keys', 'merge-key.yaml', 'merge-key-rule.yaml'),
  ...because(
    'other numbers and booleans in YAML 1.1',
    'requests-binary.yaml',
    'requests-underscores.yaml',
    'requests-leading-zero-nine.yaml',
    'shadow-yes.yaml',
    'shadow-on.yaml',
    'shadow-y.yaml',
    'shadow-no.yaml',
  ),
  ...because(
    'a whole number to JSON, however it is written',
    'value-exponent.yaml',
    'value-big.yaml',
    'requests-float-whole.yaml',
    'requests-exponent.yaml',
  ),
  ...because('a tag of YAML 1.1', 'value-binary.yaml', 'metadata-binary.yaml'),
  ...because('the parser reads YAML 1.1 only', 'directive-1-2.yaml'),
  ...because('a schema cannot compare two fields', 'replaces-itself.yaml'),
  ...because('an editor may count aliases', 'alias-three-hundred.yaml'),
]);

/** Files that cannot be given to other readers: they never end, or end the process. */
const unreadable = [
  'alias-self.yaml',
  'alias-self-metadata.yaml',
  'alias-self-merge.yaml',
  'brackets-20000.yaml',
];

function because(reason: string, ...names: string[]): (readonly [string, string])[] {
  return names.map((name) => [name, reason]);
}

function isValid(content: Uint8Array): boolean {
  const decoded = decodeYaml(content);
  if (decoded.kind === 'fault') return false;
  const document = parseDocument(decoded.text, { logLevel: 'error' });
  if (document.errors.length > 0) return false;
  try {
    return validate(document.toJS());
  } catch {
    return false;
  }
}

function isAccepted(name: string, content: Uint8Array): boolean {
  return parseRules(name, content).issues.every((issue) => issue.severity === 'lint');
}

describe('the JSON Schema agrees with the parser, which accepts nothing that has no effect', () => {
  for (const name of readdirSync(files).filter((each) => !unreadable.includes(each))) {
    const reason = exceptions.get(name);
    it(reason === undefined ? name : `${name}, but for this: ${reason}`, () => {
      const content = readFileSync(join(files, name));
      expect(isValid(content)).toBe(
        reason === undefined ? isAccepted(name, content) : !isAccepted(name, content),
      );
    });
  }

  const inLimit = (limit: string) => `domain: d\ndescriptors: [{key: k, rate_limit: {${limit}}}]`;
  for (const [accepted, limit] of [
    [true, 'window: 10s, requests_per_unit: 3'],
    [true, 'window: 24h, requests_per_unit: 3'],
    [false, 'window: 0s, requests_per_unit: 3'],
    [false, 'window: 10, requests_per_unit: 3'],
    [false, 'window: 1w, requests_per_unit: 3'],
    [false, 'window: 1.5h, requests_per_unit: 3'],
    [false, 'window: 10s, unit: hour, requests_per_unit: 3'],
    [false, 'window: 10s, unlimited: true'],
    [true, 'unit: day, requests_per_unit: 3, algorithm: fixed_window, align: epoch'],
    [true, 'unit: day, requests_per_unit: 3, algorithm: sliding_window'],
    [true, 'unit: day, requests_per_unit: 3, algorithm: token_bucket'],
    [true, 'window: 10s, requests_per_unit: 3, algorithm: token_bucket, burst: 20'],
    [false, 'unit: day, requests_per_unit: 3, algorithm: leaky_bucket'],
    [false, 'unit: day, requests_per_unit: 3, algorithm: sliding_window, burst: 20'],
    [false, 'unit: day, requests_per_unit: 3, burst: 20'],
    [false, 'unlimited: true, algorithm: token_bucket'],
    [true, 'unit: day, requests_per_unit: 3, align: calendar'],
    [true, 'unit: Month, requests_per_unit: 3, align: calendar, timezone: Europe/Berlin'],
    [false, 'unit: hour, requests_per_unit: 3, align: calendar'],
    [false, 'window: 24h, requests_per_unit: 3, align: calendar'],
    [false, 'unit: day, requests_per_unit: 3, timezone: Europe/Berlin'],
    [false, 'unit: day, requests_per_unit: 3, align: calendar, algorithm: sliding_window'],
    [false, 'unit: day, requests_per_unit: 3, align: moon'],
    [true, 'unit: day, requests_per_unit: 3, warn_at: 0.8'],
    [true, 'unit: day, requests_per_unit: 3, warn_at: [0.5, "0.8", 1]'],
    [false, 'unit: day, requests_per_unit: 3, warn_at: 80'],
    [false, 'unit: day, requests_per_unit: 3, warn_at: 0'],
    [false, 'unit: day, requests_per_unit: 3, warn_at: {share: 0.8}'],
    [false, 'unlimited: true, warn_at: 0.8'],
  ] as const) {
    it(`rate_limit: {${limit}} is ${accepted ? 'accepted' : 'refused'}`, () => {
      const content = Buffer.from(inLimit(limit));
      expect(isAccepted('x.yaml', content)).toBe(accepted);
      expect(isValid(content)).toBe(accepted);
    });
  }

  const inRule = (rest: string) =>
    `domain: d\ndescriptors: [{key: k, ${rest}, rate_limit: {unit: day, requests_per_unit: 3}}]`;
  for (const [accepted, rest] of [
    [true, 'cidrs: [10.20.0.0/16, "2001:db8:5::/48"]'],
    [true, 'cidrs: [10.20.0.0/16], share_threshold: true'],
    [true, 'cidrs: [10.20.0.0/16], value: ""'],
    [false, 'cidrs: []'],
    [false, 'cidrs: 10.20.0.0/16'],
    [false, 'cidrs: [10.20.0.0/16], value: v'],
    [true, 'aggregate: /64'],
    [true, 'aggregate: {ipv4: /24, ipv6: /64}'],
    [true, 'aggregate: {ipv4: /24}'],
    [false, 'aggregate: 64'],
    [false, 'aggregate: /129'],
    [false, 'aggregate: {}'],
    [false, 'aggregate: {ipv4: /33}'],
    [false, 'aggregate: {ipv5: /64}'],
    [false, 'aggregate: /64, value: v'],
    [false, 'aggregate: /64, value: v*'],
    [false, 'aggregate: /64, cidrs: ["2001:db8:5::/48"], share_threshold: true'],
  ] as const) {
    it(`a rule with ${rest} is ${accepted ? 'accepted' : 'refused'}`, () => {
      const content = Buffer.from(inRule(rest));
      expect(isAccepted('x.yaml', content)).toBe(accepted);
      expect(isValid(content)).toBe(accepted);
    });
  }

  for (const [accepted, limits] of [
    [true, '[4/second, 20/day]'],
    [
      true,
      '[100/10s, {unit: day, requests_per_unit: 3}, {unit: day, requests_per_unit: 5, algorithm: token_bucket}]',
    ],
    [false, '[]'],
    [false, '4/second'],
    [false, '{unit: day, requests_per_unit: 3}'],
    [false, '[4]'],
    [false, '[4/fortnight]'],
    [false, '[-1/day]'],
    [false, '[{unlimited: true}]'],
    [false, '[1/day, 1/1s, 1/2s, 1/3s, 1/4s, 1/5s, 1/6s, 1/7s, 1/8s]'],
  ] as const) {
    it(`rate_limits: ${limits} is ${accepted ? 'accepted' : 'refused'}`, () => {
      const content = Buffer.from(`domain: d\ndescriptors: [{key: k, rate_limits: ${limits}}]`);
      expect(isAccepted('x.yaml', content)).toBe(accepted);
      expect(isValid(content)).toBe(accepted);
    });
  }

  it('a rule has one of rate_limit and rate_limits', () => {
    const limits = 'rate_limit: {unit: day, requests_per_unit: 3}, rate_limits: [4/second]';
    const content = Buffer.from(`domain: d\ndescriptors: [{key: k, ${limits}}]`);
    expect(isAccepted('x.yaml', content)).toBe(false);
    expect(isValid(content)).toBe(false);
  });

  for (const [accepted, exemptions] of [
    [true, '[]'],
    [true, '[{key: a, value: internal}, {key: a, values: [x, 7]}, {key: b, prefix: svc-}]'],
    [true, '[{key: a, cidrs: [10.20.0.0/16]}]'],
    [false, '{key: a, value: internal}'],
    [false, '[a]'],
    [false, '[{key: a}]'],
    [false, '[{value: a}]'],
    [false, '[{key: a, value: ""}]'],
    [false, '[{key: a, value: "x*"}]'],
    [false, '[{key: a, prefix: ""}]'],
    [false, '[{key: a, values: []}]'],
    [false, '[{key: a, cidrs: []}]'],
    [false, '[{key: a, value: x, prefix: y}]'],
    [false, '[{key: a, value: x, descriptors: []}]'],
  ] as const) {
    it(`exemptions: ${exemptions} are ${accepted ? 'accepted' : 'refused'}`, () => {
      const content = Buffer.from(`domain: d\nexemptions: ${exemptions}\ndescriptors: []`);
      expect(isAccepted('x.yaml', content)).toBe(accepted);
      expect(isValid(content)).toBe(accepted);
    });
  }

  it('knows the keys that the parser knows', () => {
    const { properties, $defs } = schema;
    const places = [
      properties,
      $defs.rule.properties,
      $defs.rateLimit.properties,
      $defs.rateLimit.properties.replaces.items.properties,
      $defs.aggregate.anyOf[1].properties,
      $defs.exemption.properties,
    ];
    expect([...new Set(places.flatMap((place) => Object.keys(place)))].sort()).toEqual([...allKeys].sort());
  });

  it('describes every key, which is what an editor shows', () => {
    for (const place of [schema, schema.$defs.rule, schema.$defs.rateLimit, schema.$defs.exemption]) {
      for (const [key, { description, $ref }] of Object.entries<{ description?: string; $ref?: string }>(
        place.properties,
      )) {
        const referred =
          $ref === undefined ? undefined : schema.$defs[$ref.replace('#/$defs/', '')].description;
        expect(description ?? referred, key).toMatch(/\.$/);
      }
    }
  });
});
