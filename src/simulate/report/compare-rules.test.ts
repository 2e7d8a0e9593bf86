import { expect, it } from 'vitest';
import { rulesOf } from '../../../test/support/limiter-fixture.ts';
import { compareRules, type ReportedRules } from './compare-rules.ts';
import type { RuleReport } from './report.ts';

const limit = (requests: number) => `rate_limit: { unit: minute, requests_per_unit: ${requests} }`;

/** The rules of a text, each of which denied as often as its limit says, and allowed ten times as often. */
function reported(descriptors: string): ReportedRules {
  const { rules } = rulesOf(`domain: shop\ndescriptors: [${descriptors}]`);
  const reports = rules.map(({ path, limits: [first] }) => {
    const requestsPerUnit = first?.limit.requestsPerUnit ?? 0;
    return {
      rule: path,
      limit: `${requestsPerUnit}`,
      denied: requestsPerUnit,
      allowed: 10 * requestsPerUnit,
    };
  });
  return { rules, reports: reports as unknown as RuleReport[] };
}

it('puts rules with the same domain, keys and values side by side, whatever their order, and others alone', () => {
  const a = reported(
    `{ key: a, value: b, ${limit(1)} }, { key: a_b, ${limit(2)} }, { key: old, ${limit(3)} }`,
  );
  const b = reported(
    `{ key: new, ${limit(7)} }, { key: a_b, ${limit(5)} }, { key: a, value: b, ${limit(6)} }`,
  );
  expect(compareRules(a, b)).toEqual([
    // One path, and two rules.
    {
      rule: 'shop.a_b',
      a: { limit: '1', allowed: 10, denied: 1 },
      b: { limit: '6', allowed: 60, denied: 6 },
      allowedChange: 50,
      deniedChange: 5,
    },
    {
      rule: 'shop.a_b',
      a: { limit: '2', allowed: 20, denied: 2 },
      b: { limit: '5', allowed: 50, denied: 5 },
      allowedChange: 30,
      deniedChange: 3,
    },
    {
      rule: 'shop.old',
      a: { limit: '3', allowed: 30, denied: 3 },
      b: null,
      allowedChange: -30,
      deniedChange: -3,
    },
    {
      rule: 'shop.new',
      a: null,
      b: { limit: '7', allowed: 70, denied: 7 },
      allowedChange: 70,
      deniedChange: 7,
    },
  ]);
});

it('tells lists of networks apart by all of them', () => {
  const list = (...cidrs: string[]) => reported(`{ key: remote_address, cidrs: [${cidrs}], ${limit(1)} }`);
  const before = list('10.0.0.0/8', '192.0.2.0/24');
  expect(compareRules(before, list('10.0.0.0/8', '198.51.100.0/24'))).toMatchObject([
    { b: null },
    { a: null },
  ]);
  expect(compareRules(before, list('10.0.0.0/8', '192.0.2.0/24'))).toHaveLength(1);
});
