import { BlockList, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Octets } from '../../src/domain/octets.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import { compileRules } from '../../src/rules/compile.ts';
import { explainMatch } from '../../src/rules/explain.ts';
import { match } from '../../src/rules/match.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';
import { descriptor } from '../support/requests.ts';

/** Networks that lie in each other, each in one rule at most. */
const networks = [
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.2.0/24',
  '10.1.2.4/31',
  '0.0.0.0/0',
  '::/0',
  '2001:db8::/32',
  '2001:db8:1::/48',
];
const addresses = ['10.1.2.4', '10.1.2.5', '10.1.2.9', '10.1.9.9', '10.9.9.9', '192.0.2.1', '192.0.2.2'];
const addresses6 = [
  '2001:db8:1::1',
  '2001:db8:1::2',
  '2001:db8:1:1::1',
  '2001:db8:2::1',
  '2001:db9::1',
  '::1',
];
/** Values that are no addresses, some of which look like parts of keys. */
const others = ['', 'ann', '10.1.2.0/24', '=10.1.2.4', '=10.1.2.0/24', '2001:db8:1::/64', '10.1.2.*'];

interface RuleModel {
  readonly text: string;
  readonly cidrs: readonly string[];
  readonly ipv4: number | undefined;
  readonly ipv6: number | undefined;
  readonly isShared: boolean;
}

const aggregate = fc.record({
  ipv4: fc.constantFrom(undefined, 24, 30, 32),
  ipv6: fc.constantFrom(undefined, 48, 64, 128),
});

/** Rules of one key: each of some networks, and perhaps the key alone, a pattern and a value. */
const rules = fc
  .tuple(
    fc.array(fc.integer({ min: 0, max: 4 }), { minLength: networks.length, maxLength: networks.length }),
    fc.array(fc.tuple(fc.boolean(), aggregate), { minLength: 5, maxLength: 5 }),
    fc.subarray(['value: "10.1.*"', 'value: 10.1.2.4', 'value: "2001:db8:1::1"']),
  )
  .map(([owners, kinds, values]): RuleModel[] => [
    ...values.map((text) => ({ text, cidrs: [], ipv4: undefined, ipv6: undefined, isShared: false })),
    ...kinds.flatMap(([isShared, { ipv4, ipv6 }], index): RuleModel[] => {
      // Those of nobody are left over; the last rule is for the key alone.
      const cidrs = index === 4 ? [] : networks.filter((_, at) => owners[at] === index);
      if (index < 4 && cidrs.length === 0) return [];
      return [withAggregate(cidrs, index < 4 && isShared, { ipv4, ipv6 })];
    }),
  ]);

function withAggregate(
  cidrs: readonly string[],
  isShared: boolean,
  { ipv4, ipv6 }: { ipv4: number | undefined; ipv6: number | undefined },
): RuleModel {
  const isTooWide = (length: number | undefined, isFamily: (cidr: string) => boolean) =>
    cidrs.some((cidr) => isFamily(cidr) && (length ?? 128) < Number(cidr.split('/')[1]));
  const kept = {
    ipv4: isShared || isTooWide(ipv4, (cidr) => cidr.includes('.')) ? undefined : ipv4,
    ipv6: isShared || isTooWide(ipv6, (cidr) => cidr.includes(':')) ? undefined : ipv6,
  };
  const lengths = Object.entries(kept).flatMap(([family, length]) =>
    length === undefined ? [] : `${family}: /${length}`,
  );
  const text = [
    ...(cidrs.length > 0 ? [`cidrs: [${cidrs.map((cidr) => JSON.stringify(cidr)).join(', ')}]`] : []),
    ...(isShared ? ['share_threshold: true'] : []),
    ...(lengths.length > 0 ? [`aggregate: {${lengths.join(', ')}}`] : []),
  ].join(', ');
  return { text, cidrs, isShared, ...kept };
}

/** The plain second implementation: Node's own lists of networks, one for each. */
function isIn(cidr: string, address: string): boolean {
  const [first = '', length = ''] = cidr.split('/');
  const family = first.includes(':') ? 'ipv6' : 'ipv4';
  if ((family === 'ipv6') !== isIPv6(address)) return false;
  const list = new BlockList();
  list.addSubnet(first, Number(length), family);
  return list.check(address, family);
}

function ruleFor(models: readonly RuleModel[], value: string): RuleModel | undefined {
  const exact = models.find(({ text }) => text.replaceAll('"', '') === `value: ${value}`);
  if (exact !== undefined && !value.includes('*')) return exact;
  const pattern = models.find(({ text }) => text.includes('*'));
  if (pattern !== undefined && value.startsWith('10.1.')) return pattern;
  const address = isIPv4(value) || isIPv6(value);
  const around = networks
    .filter((cidr) => address && isIn(cidr, value) && models.some(({ cidrs }) => cidrs.includes(cidr)))
    .sort((a, b) => Number(b.split('/')[1]) - Number(a.split('/')[1]));
  return (
    models.find(({ cidrs }) => cidrs.includes(around[0] ?? '')) ??
    models.find(({ text, cidrs }) => cidrs.length === 0 && !text.includes('value'))
  );
}

/** Whether two values that have one rule are to share its counter. */
function shareCounter(model: RuleModel, a: string, b: string): boolean {
  if (model.isShared || a === b) return true;
  if (model.text.includes('value')) return false;
  const length = isIPv4(a) ? model.ipv4 : isIPv6(a) ? model.ipv6 : undefined;
  return length !== undefined && isIn(`${a}/${length}`, b);
}

it('rules with networks are found, and share counters, as Node finds networks', () => {
  const value = fc.constantFrom(...addresses, ...addresses6, ...others);
  fc.assert(
    fc.property(rules, value, value, (models, a, b) => {
      const limit = 'rate_limit: {unit: day, requests_per_unit: 1}';
      const lines = models.map(({ text }) => `  - {key: ip, ${text === '' ? '' : `${text}, `}${limit}}`);
      const { document, issues } = parseRules(
        'f',
        Buffer.from(`domain: d\ndescriptors:\n${lines.join('\n')}`),
      );
      expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
      const compiled = compileRules(document === undefined ? [] : [document], {
        mergeDomains: false,
        keyPrefix: '',
        version: '1',
      });
      const domain = compiled.ruleSet?.domains.get(octetsOf('d'));
      if (compiled.ruleSet === undefined || domain === undefined)
        throw new Error(JSON.stringify(compiled.issues));
      const [first, second] = [a, b].map((text) => {
        const asked = descriptor(`ip=${text}`);
        const rule = match(domain, asked);
        const model = ruleFor(models, text);
        expect(rule?.at.line).toBe(model && models.indexOf(model) + 3);
        expect(explainMatch(compiled.ruleSet as never, 'd' as Octets, asked).rule).toBe(rule);
        return {
          model,
          key: rule?.limits[0]?.counterKey(asked.entries),
          fingerprint: rule?.limits[0]?.keyFingerprint(asked.entries),
        };
      });
      if (first?.model === undefined || second?.model === undefined) return;
      const isOne = first.model === second.model && shareCounter(first.model, a, b);
      expect([a, b, first.key === second.key]).toEqual([a, b, isOne]);
      if (isOne) expect(first.fingerprint).toBe(second.fingerprint);
    }),
    { numRuns: 3_000 },
  );
});
