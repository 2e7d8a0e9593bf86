import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/domain/decision.ts';
import type { Descriptor } from '../../src/domain/descriptor.ts';
import type { DescriptorParts } from '../support/requests.ts';

/** A limiter with these rules for the domain `shop`, whose counters are all new. */
export type StartAsking = (
  yaml: string,
) => Promise<(asked: readonly (string | Descriptor)[], parts?: DescriptorParts) => Promise<Decision>>;

/** Windows of a day, so that none ends in the middle of a test. */
const twice = 'rate_limit: {unit: day, requests_per_unit: 2}';

const exempting = `
domain: shop
exemptions:
  - {key: ip, cidrs: [10.20.0.0/16, "2001:db8:5::/48"]}
  - {key: user, prefix: svc-}
  - {key: api_key, values: [internal, probe]}
descriptors:
  - {key: ip, ${twice}}
  - {key: user, ${twice}}
`;

/** What exemptions and networks do, on any store. */
export function networkCases(name: string, start: StartAsking): void {
  const codesOf = async (yaml: string, ...requests: (readonly string[])[]) => {
    const decide = await start(yaml);
    const codes = [];
    for (const texts of requests) codes.push((await decide(texts)).overallCode);
    return codes;
  };
  const times = (count: number, ...texts: string[]) => Array.from({ length: count }, () => texts);
  const allOk = (codes: readonly string[]) => codes.every((code) => code === 'OK');

  describe(`networks on ${name}`, () => {
    it('M11: everyone is limited but those in two networks, however their addresses are written', async () => {
      const exempt = [
        ...times(50, 'ip=10.20.3.4'),
        ...times(50, 'ip=2001:db8:5::9'),
        ...times(5, 'ip=::ffff:10.20.3.4'),
        ...times(5, 'ip=2001:0DB8:5:0::9'),
      ];
      expect(allOk(await codesOf(exempting, ...exempt))).toBe(true);
      expect(await codesOf(exempting, ...times(3, 'ip=203.0.113.7'))).toEqual(['OK', 'OK', 'OVER_LIMIT']);
    });

    it('one exempt entry of one descriptor exempts the request, and takes nothing from the others', async () => {
      const decide = await start(exempting);
      for (const entry of ['ip=10.20.3.4', 'user=svc-mail', 'api_key=internal', 'route=a, api_key=probe']) {
        for (let i = 0; i < 5; i++) {
          const { overallCode, statuses } = await decide(['user=ann', entry]);
          expect([overallCode, ...statuses.map(({ currentLimit }) => currentLimit)]).toEqual([
            'OK',
            undefined,
            undefined,
          ]);
        }
      }
      expect((await decide(['user=ann'])).statuses[0]?.limitRemaining).toBe(1);
    });

    it('an exempt request gives nothing back, and brings no limit', async () => {
      const decide = await start(exempting);
      await decide(['user=ann']);
      await decide(['user=ann', 'api_key=internal'], { hits: 1, refund: true });
      const own = { limit: [0, 'DAY'] } as const;
      expect((await decide(['user=ann', 'api_key=internal'], own)).overallCode).toBe('OK');
      expect((await decide(['user=ann'])).statuses[0]?.limitRemaining).toBe(0);
    });

    it('M11: addresses of one /64 share a counter, those of IPv4 have their own', async () => {
      const yaml = `domain: shop\ndescriptors: [{key: ip, aggregate: /64, ${twice}}]`;
      expect(
        await codesOf(
          yaml,
          ...['2001:db8::1', '2001:db8::2', '2001:DB8:0::3', '2001:db8:0:1::1', '[2001:db8::4]:443'].map(
            (ip) => [`ip=${ip}`],
          ),
          ...['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1', '192.0.2.1:80'].map((ip) => [`ip=${ip}`]),
          ...times(3, 'ip=no address'),
        ),
      ).toEqual([
        ...['OK', 'OK', 'OVER_LIMIT', 'OK', 'OVER_LIMIT'],
        ...['OK', 'OK', 'OK', 'OVER_LIMIT'],
        ...['OK', 'OK', 'OVER_LIMIT'],
      ]);
    });

    it('networks share a counter where the rule says so, and else each address has its own', async () => {
      const yaml = `
domain: shop
descriptors:
  - {key: ip, cidrs: [192.0.2.0/24], ${twice}}
  - {key: ip, cidrs: [198.51.100.0/25, "2001:db8::/32"], share_threshold: true, ${twice}}
`;
      const asked = ['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1', '192.0.2.1'].map((ip) => [`ip=${ip}`]);
      expect(await codesOf(yaml, ...asked)).toEqual(['OK', 'OK', 'OK', 'OVER_LIMIT']);
      const shared = ['198.51.100.1', '2001:db8:7::1', '198.51.100.2', '198.51.100.200'].map((ip) => [
        `ip=${ip}`,
      ]);
      expect(await codesOf(yaml, ...shared)).toEqual(['OK', 'OK', 'OVER_LIMIT', 'OK']);
    });
  });
}
