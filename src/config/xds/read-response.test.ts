import { describe, expect, it } from 'vitest';
import { DiscoveryResponse } from '../../gen/envoy/service/discovery/v3/discovery.ts';
import { RateLimitConfig, RateLimitUnit } from '../../gen/ratelimit/config/ratelimit/v3/rls_conf.ts';
import { parseRules } from '../../rules/parse/parse.ts';
import { problemText } from './discovery-requests.ts';
import { parseResource, readResponse } from './read-response.ts';
import { resourceType } from './resource-type.ts';

type Config = Parameters<typeof RateLimitConfig.fromPartial>[0];

function octetsOf(config: Config): Uint8Array {
  return RateLimitConfig.encode(RateLimitConfig.fromPartial(config)).finish();
}

function parse(octets: Uint8Array, typeUrl = resourceType) {
  return parseResource({ file: "resource 'shop'", typeUrl, octets, digest: '' });
}

function problemsOf(octets: Uint8Array, typeUrl?: string): string[] {
  return parse(octets, typeUrl).issues.map(problemText);
}

const perMinute = { unit: RateLimitUnit.MINUTE, requestsPerUnit: 5 };

describe('a resource', () => {
  it('means what the same rules mean in a file', () => {
    const config = {
      name: 'shop',
      domain: 'shop',
      failurePolicy: 'allow',
      refunds: false,
      sensitive: true,
      clients: { names: ['spiffe://a'] },
      exemptions: [
        { key: 'ip', cidrs: ['10.20.0.0/16', '2001:db8::/32'] },
        { key: 'user', value: 'a' },
        { key: 'user', values: ['b', 'c'] },
        { key: 'user', prefix: 'svc-' },
      ],
      descriptors: [
        { key: 'ip', cidrs: ['10.0.0.0/8'], aggregate: { ipv4: '/24', ipv6: '/64' }, rateLimit: perMinute },
        { key: 'ip', aggregate: { ipv6: '/64' }, rateLimit: perMinute },
        {
          key: 'user',
          value: 'v*',
          shareThreshold: true,
          valueToMetric: true,
          detailedMetric: true,
          shadowMode: true,
          quotaMode: true,
          sensitive: true,
          failurePolicy: 'deny',
          metadata: { text: 'a', number: 1.5, whole: 7, yes: true, none: null, list: [1, { a: 'b' }] },
          rateLimit: { ...perMinute, name: 'one', replaces: [{ name: 'two' }] },
          descriptors: [
            { key: 'path', rateLimit: { window: '10s', requestsPerUnit: 4_294_967_295 } },
            { key: 'free', rateLimit: { unlimited: true } },
            { key: 'closed', rateLimit: { unit: RateLimitUnit.WEEK } },
          ],
        },
      ],
    } satisfies Config;
    const yaml = `
domain: shop
failure_policy: allow
refunds: false
sensitive: true
clients: ['spiffe://a']
exemptions:
  - {key: ip, cidrs: [10.20.0.0/16, '2001:db8::/32']}
  - {key: user, value: a}
  - {key: user, values: [b, c]}
  - {key: user, prefix: svc-}
descriptors:
  - {key: ip, cidrs: [10.0.0.0/8], aggregate: {ipv4: /24, ipv6: /64}, rate_limit: {unit: minute, requests_per_unit: 5}}
  - {key: ip, aggregate: /64, rate_limit: {unit: minute, requests_per_unit: 5}}
  - key: user
    value: v*
    share_threshold: true
    value_to_metric: true
    detailed_metric: true
    shadow_mode: true
    quota_mode: true
    sensitive: true
    failure_policy: deny
    metadata: {text: a, number: 1.5, whole: 7, 'yes': true, none: null, list: [1, {a: b}]}
    rate_limit: {unit: minute, requests_per_unit: 5, name: one, replaces: [{name: two}]}
    descriptors:
      - {key: path, rate_limit: {window: 10s, requests_per_unit: 4294967295}}
      - {key: free, rate_limit: {unlimited: true}}
      - {key: closed, rate_limit: {unit: week, requests_per_unit: 0}}
`;
    const { document, issues } = parse(octetsOf(config));
    expect(issues).toEqual([]);
    const fromFile = parseRules("resource 'shop'", Buffer.from(yaml));
    expect(fromFile.issues).toEqual([]);
    expect(withoutPlaces(document)).toEqual(withoutPlaces(fromFile.document));
  });

  it('has places, which are the ways to them', () => {
    const descriptors = [{ key: 'a' }, { key: 'b', descriptors: [{ key: 'c', rateLimit: perMinute }] }];
    const { document } = parse(octetsOf({ domain: 'shop', descriptors }));
    const [, second] = document?.descriptors ?? [];
    expect(document?.at.path).toBe('');
    expect(second?.at.path).toBe('descriptors[1]');
    expect(second?.descriptors[0]?.at.path).toBe('descriptors[1].descriptors[0]');
    expect(second?.descriptors[0]?.rateLimits[0]?.at.path).toBe('descriptors[1].descriptors[0]');
  });

  it.each<[string, Config, string]>([
    ['a domain', { descriptors: [] }, "resource 'shop': a file of rules needs a 'domain' [empty-domain]"],
    [
      'a key',
      { descriptors: [{ value: 'a' }] },
      "resource 'shop', descriptors[0]: a rule needs a 'key' [empty-key]",
    ],
    [
      'a network',
      {
        domain: 'shop',
        exemptions: [
          { key: 'a', value: 'b' },
          { key: 'ip', cidrs: ['10.0.0.0/33'] },
        ],
      },
      "resource 'shop', exemptions[1]: the length of '10.0.0.0/33' is a whole number from 0 to 32 [bad-network]",
    ],
    [
      'a whole exemption',
      { domain: 'shop', exemptions: [{ key: 'a' }] },
      "resource 'shop', exemptions[0]: an exemption has one of value, values, prefix, cidrs; write one for each [bad-exemption]",
    ],
    ['a unit', { descriptors: [{ key: 'a', rateLimit: { requestsPerUnit: 1 } }] }, '[unit-missing]'],
    [
      'a known unit',
      { descriptors: [{ key: 'a', rateLimit: { unit: 9 as RateLimitUnit } }] },
      "unknown unit '9'",
    ],
    [
      'one of both',
      { descriptors: [{ key: 'a', rateLimit: { ...perMinute, unlimited: true } }] },
      '[unlimited-with-unit]',
    ],
    [
      'a star',
      { descriptors: [{ key: 'a', value: 'b', shareThreshold: true }] },
      '[share-threshold-without-star]',
    ],
    ['a policy', { descriptors: [{ key: 'a', failurePolicy: 'alow' }] }, "did you mean 'allow'?"],
    [
      'another name',
      { descriptors: [{ key: 'a', rateLimit: { ...perMinute, name: 'x', replaces: [{ name: 'x' }] } }] },
      '[replaces-itself]',
    ],
  ])('needs %s, as a file does', (_, config, problem) => {
    const domain = config.descriptors?.length === 0 ? '' : 'shop';
    expect(problemsOf(octetsOf({ domain, ...config }))).toContainEqual(expect.stringContaining(problem));
    expect(parse(octetsOf({ domain, ...config })).document).toBeUndefined();
  });

  it('names all its problems', () => {
    const descriptors = [{ key: '' }, { key: 'b', descriptors: [{ key: 'c', rateLimit: {} }] }];
    expect(problemsOf(octetsOf({ domain: 'shop', descriptors }))).toEqual([
      expect.stringContaining("resource 'shop', descriptors[0]: "),
      expect.stringContaining("resource 'shop', descriptors[1].descriptors[0]: "),
    ]);
  });

  it('C10: is refused for a field that is not known', () => {
    const known = octetsOf({ domain: 'shop', descriptors: [{ key: 'a' }] });
    const withField = (tag: number[]) => Buffer.concat([known, Buffer.from(tag)]);
    expect(problemsOf(withField([0x78, 1]))).toEqual([
      "resource 'shop': field 15 of wire type 0 is not known [unknown-field]",
    ]);
    // A known number with another type than it has.
    expect(problemsOf(withField([0x10, 1]))).toEqual([
      "resource 'shop': field 2 of wire type 0 is not known [unknown-field]",
    ]);
  });

  it('is refused where a text is not UTF-8', () => {
    expect(problemsOf(Buffer.from([0x12, 1, 0xff]))).toEqual([
      "resource 'shop': 'domain' is not valid UTF-8 [encoding]",
    ]);
  });

  it('is refused when it is no message, without a word about what it might mean', () => {
    const octets = octetsOf({ domain: 'shop', descriptors: [{ key: 'a' }] });
    for (let length = 1; length < octets.length; length += 1) {
      const cut = octets.subarray(0, length);
      for (const problem of problemsOf(cut))
        expect(problem).toMatch(/\[(malformed-resource|empty-domain|empty-key)\]$/);
    }
    expect(problemsOf(octets.subarray(0, 3))).toEqual([expect.stringContaining('[malformed-resource]')]);
  });

  it('is refused when it is of another type', () => {
    expect(problemsOf(octetsOf({ domain: 'shop' }), 'type.googleapis.com/a.B')).toEqual([
      expect.stringContaining('[wrong-resource-type]'),
    ]);
  });

  it('is refused beyond 100 levels, and by no fault of the stack', () => {
    let descriptor: NonNullable<Config['descriptors']>[number] = { key: 'a' };
    for (let level = 0; level < 2_000; level += 1) descriptor = { key: 'a', descriptors: [descriptor] };
    expect(problemsOf(octetsOf({ domain: 'shop', descriptors: [descriptor] }))).toEqual([
      expect.stringContaining('[nesting]'),
    ]);
  });

  it('merges doubled messages, and takes the last of a doubled scalar (proto3)', () => {
    const policy = Buffer.from([0x1a, 2, 0x08, 2, 0x1a, 2, 0x10, 7]);
    const descriptor = Buffer.concat([Buffer.from([0x0a, 1, 0x61, 0x0a, 1, 0x62]), policy]);
    const octets = Buffer.concat([Buffer.from([0x12, 1, 0x73, 0x1a, descriptor.length]), descriptor]);
    expect(parse(octets).document?.descriptors).toMatchObject([
      { key: 'b', rateLimits: [{ limit: { unit: 'MINUTE', requestsPerUnit: 7 } }] },
    ]);
  });
});

describe('a response', () => {
  const resource = (name: string, limit: number) => ({
    typeUrl: resourceType,
    value: Buffer.from(
      octetsOf({
        name,
        domain: name,
        descriptors: [{ key: 'a', rateLimit: { ...perMinute, requestsPerUnit: limit } }],
      }),
    ),
  });
  const read = (resources: ReturnType<typeof resource>[], versionInfo = '1') => {
    const response = DiscoveryResponse.fromPartial({
      versionInfo,
      nonce: 'n',
      typeUrl: resourceType,
      resources,
    });
    return readResponse(DiscoveryResponse.encode(response).finish());
  };
  const versionOf = (...args: Parameters<typeof read>) => read(...args).head.contentVersion;

  it('has the same version for the same resources, in whatever order and under whatever name', () => {
    const [a, b] = [resource('a', 1), resource('b', 1)];
    expect(versionOf([a, b])).toBe(versionOf([b, a], '2'));
    expect(versionOf([a, b])).not.toBe(versionOf([a]));
    expect(versionOf([a, b])).not.toBe(versionOf([a, resource('b', 2)]));
    expect(versionOf([])).not.toBe(versionOf([a]));
  });

  it('gives its resources in the order of their names', () => {
    const { resources } = read([resource('b', 1), resource('a', 1)]);
    expect(resources.map(({ file }) => file)).toEqual(["resource 'a'", "resource 'b'"]);
  });
});

/** All of it but where it stood. */
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part) => (key === 'at' ? undefined : part)));
}
