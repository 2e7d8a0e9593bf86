import { describe, expect, it } from 'vitest';
import { octetsOf } from '../../src/domain/octets.ts';
import { compileRules } from '../../src/rules/compile.ts';
import { explainMatch } from '../../src/rules/explain.ts';
import { match } from '../../src/rules/match.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';
import { printRlconfig } from '../../src/rules/rlconfig.ts';
import { networkCases } from '../case/networks.case.ts';
import { limiterFixture, rulesOf } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';
import { hashOf, startWatched } from '../support/watched-limiter.ts';

const limit = 'rate_limit: {unit: day, requests_per_unit: 1}';

networkCases('memory', async (yaml) => {
  const { ask } = limiterFixture({ yaml });
  return async (asked, parts) => {
    const answer = await ask(asked.map((one) => (typeof one === 'string' ? descriptor(one, parts) : one)));
    if (answer.kind === 'failure') throw new Error(answer.message);
    return answer;
  };
});

describe('which rule an address finds', () => {
  const yaml = `
domain: shop
descriptors:
  - {key: ip, ${limit}}
  - {key: ip, cidrs: [10.0.0.0/8, "::/0"], ${limit}}
  - {key: ip, cidrs: [10.20.0.0/16, 172.16.0.0/12], ${limit}}
  - {key: ip, value: "10.20.9.*", ${limit}}
  - {key: ip, value: 10.20.3.4, ${limit}}
  - {key: ip, cidrs: [10.20.30.0/24]}
`;
  it.each([
    ['an exact value first', '10.20.3.4', 'ip_10.20.3.4'],
    ['a pattern before networks', '10.20.9.1', 'ip_10.20.9.*'],
    ['the smallest network', '10.20.3.5', 'ip_10.20.0.0/16+1'],
    ['in any of its texts, which are no exact value', '::ffff:10.20.3.4', 'ip_10.20.0.0/16+1'],
    ['the larger network around it', '10.21.0.1', 'ip_10.0.0.0/8+1'],
    ['another network of the same rule', '172.31.255.255', 'ip_10.20.0.0/16+1'],
    ['a network of its own family', '2001:db8::1', 'ip_10.0.0.0/8+1'],
    ['the key alone where there is no network', '192.0.2.1', 'ip'],
    ['the key alone for what is no address', 'ann', 'ip'],
  ])('%s: %s', (_, ip, path) => {
    const rules = rulesOf(yaml);
    const domain = rules.domains.get(octetsOf('shop'));
    const asked = descriptor(`ip=${ip}`);
    expect(domain && match(domain, asked)?.path).toBe(`shop.${path}`);
    expect(explainMatch(rules, octetsOf('shop'), asked).rule?.path).toBe(`shop.${path}`);
  });

  it('a network without a limit is out of the larger one and of the key alone', () => {
    const explained = explainMatch(rulesOf(yaml), octetsOf('shop'), descriptor('ip=10.20.30.1'));
    expect(explained.summary).toBe('matched 1 entry, but no limit is set there');
    expect(explained.steps[0]?.attempts.at(-1)).toEqual({
      how: 'network',
      text: 'ip=10.20.30.0/24',
      matched: true,
    });
  });

  it('networks that were tried are named', () => {
    const [step] = explainMatch(rulesOf(yaml), octetsOf('shop'), descriptor('ip=192.0.2.1')).steps;
    expect(step?.attempts.map(({ how, text, matched }) => `${how} ${text} ${matched}`)).toEqual([
      'exact value ip=192.0.2.1 false',
      'pattern ip=10.20.9.* false',
      'network ip=10.0.0.0/8+1 false',
      'network ip=10.20.0.0/16+1 false',
      'network ip=10.20.30.0/24 false',
      'key alone ip true',
    ]);
  });

  it('/rlconfig has a line for the networks of a rule', () => {
    expect(printRlconfig(rulesOf(yaml))).toContain('shop.ip_10.20.0.0/16+1: unit=DAY requests_per_unit=1,');
  });

  it('the same network in two rules of a key is an error, in whatever text', () => {
    const two = ['192.0.2.0/24', '"::ffff:192.0.2.0/120"'].map((cidr, index) => {
      const text = `domain: shop\ndescriptors: [{key: ip, cidrs: [${cidr}], ${limit}}]`;
      return parseRules(`${index}.yaml`, Buffer.from(text)).document;
    });
    const { issues } = compileRules(
      two.filter((document) => document !== undefined),
      { mergeDomains: true, keyPrefix: '', version: '1' },
    );
    const message =
      "network 192.0.2.0/24 of key 'ip' is also that of the rule in 0.yaml, line 2; an address is in one smallest network";
    expect(issues).toMatchObject([
      { severity: 'error', code: 'duplicate-rule', file: '1.yaml', line: 2, message },
    ]);
  });

  it('the rules go on below a network', () => {
    const below = `domain: shop\ndescriptors: [{key: ip, cidrs: [10.0.0.0/8], descriptors: [{key: user, ${limit}}]}]`;
    const domain = rulesOf(below).domains.get(octetsOf('shop'));
    expect(domain && match(domain, descriptor('ip=10.1.2.3, user=ann'))?.path).toBe(
      'shop.ip_10.0.0.0/8.user',
    );
  });
});

describe('what an address counts as', () => {
  const keysFor = async (rule: string, ...values: string[]) => {
    const watched = startWatched({ yaml: `domain: shop\ndescriptors: [{key: ip, ${rule}, ${limit}}]` });
    for (const value of values) await watched.decide(`ip=${value}`);
    return watched.keys.map((key) => key.replace(/^v1\{shop\|ip=(.*)\}86400$/, '$1'));
  };

  it.each([
    ['cidrs: [10.0.0.0/8]', '::ffff:10.1.2.3', '=10.1.2.3'],
    ['cidrs: [10.0.0.0/8], share_threshold: true', '10.1.2.3', '=10.0.0.0/8'],
    ['cidrs: [10.1.0.0/16, 10.0.0.0/16], share_threshold: true', '10.1.2.3', '=10.0.0.0/16,10.1.0.0/16'],
    ['cidrs: [10.0.0.0/8], aggregate: {ipv4: /24}', '10.1.2.3', '=10.1.2.0/24'],
    ['aggregate: /64', '2001:DB8:5:0::9', '=2001:db8:5::/64'],
    ['aggregate: /64', '192.0.2.1:80', '=192.0.2.1'],
    ['aggregate: {ipv4: /24}', '::ffff:192.0.2.1', '=192.0.2.0/24'],
    ['aggregate: {ipv4: /24}', 'fe80::1%eth0', '=fe80::1'],
    // A value that a caller made up is never taken for a network, or for an address that was read.
    ['aggregate: /64', '2001:db8:5::/64', '2001:db8:5::/64'],
    ['aggregate: /64', '=2001:db8:5::/64', '%3D2001:db8:5::/64'],
    ['aggregate: /64', '', ''],
    ['detailed_metric: true', '2001:DB8:5:0::9', '2001:DB8:5:0::9'],
    ['sensitive: true, aggregate: /64', '2001:DB8:5:0::9', `=${hashOf('2001:db8:5::/64')}`],
    ['sensitive: true, cidrs: [10.0.0.0/8]', '::ffff:10.1.2.3', `=${hashOf('10.1.2.3')}`],
    ['sensitive: true, aggregate: /64', 'ann', hashOf('ann')],
  ])('{%s} counts %s as %s', async (rule, value, counted) => {
    expect(await keysFor(rule, value)).toEqual([counted]);
  });

  it('labels and lines of a sensitive network have the hash that the key has', async () => {
    const watched = startWatched({
      yaml: `domain: shop\ndescriptors: [{key: ip, sensitive: true, aggregate: /64, detailed_metric: true, ${limit}}]`,
    });
    expect(await watched.ask('ip=2001:db8::1', 'ip=2001:db8::2')).toBe('OK OVER_LIMIT');
    const hash = hashOf('2001:db8::/64');
    expect(watched.descriptors()).toEqual([[`ip=${hash}`]]);
    expect(await watched.page()).toContain(`total_hits{domain="shop",key1="ip_${hash.slice(0, 18)}"} 2`);
  });

  it.each([
    ['cidrs: [10.20.0.0/16]', 'ip_10_20_0_0/16'],
    ['cidrs: [10.20.0.0/16, 10.30.0.0/16, "2001:db8::/32"]', 'ip_10_20_0_0/16+2'],
    ['cidrs: ["2001:db8::/32"], detailed_metric: true', 'ip_2001_db8__1'],
    ['aggregate: /64, detailed_metric: true', 'ip_2001_db8__/64'],
  ])('the label of {%s} is %s', async (rule, label) => {
    const watched = startWatched({ yaml: `domain: shop\ndescriptors: [{key: ip, ${rule}, ${limit}}]` });
    await watched.decide('ip=2001:0db8::1');
    await watched.decide('ip=10.20.3.4');
    expect(await watched.page()).toContain(`total_hits{domain="shop",key1="${label}"}`);
  });
});
