import { describe, expect, it } from 'vitest';
import { ruleSetOf } from '../../test/support/decision-events.ts';
import { perHour } from '../../test/support/rule-document.ts';
import { seriesWith } from '../../test/support/scrape.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { createMetrics, type MetricsOptions } from './metrics.ts';

const family = 'weir_rule_limit_per_second';

async function limitsOf(rules: RuleSet[], options: MetricsOptions = {}): Promise<Record<string, number>> {
  const metrics = createMetrics({ withProcess: false, ...options });
  for (const set of rules) {
    metrics.onConfigLoad({ result: { kind: 'applied', version: set.version, issues: [] }, at: 0 }, set);
  }
  return seriesWith(metrics, family);
}

const labels = (text: string) => `${family}{domain="shop",${text}}`;

describe('limits of rules', () => {
  it('are there before the first hit, as hits a second', async () => {
    const rules = ruleSetOf('shop', [
      { key: 'ip', rateLimit: perHour(7_200) },
      { key: 'plan', value: 'free', descriptors: [{ key: 'user', rateLimit: perHour(36) }] },
    ]);
    expect(await limitsOf([rules])).toEqual({
      [labels('key1="ip"')]: 2,
      [labels('key1="plan_free",key2="user"')]: 0.01,
    });
  });

  it('are the lowest where rules share the labels', async () => {
    const rules = ruleSetOf('shop', [
      {
        key: 'a',
        descriptors: [
          {
            key: 'b',
            descriptors: [
              { key: 'c', rateLimit: perHour(7_200) },
              { key: 'd', rateLimit: perHour(3_600) },
            ],
          },
        ],
      },
    ]);
    expect(await limitsOf([rules])).toEqual({ [labels('key1="a",key2="b"')]: 1 });
  });

  it('are left out where there is none, and where labels show values of requests', async () => {
    const unlimited = { ...perHour(0), limit: 'unlimited' } as const;
    const rules = ruleSetOf('shop', [
      { key: 'free', rateLimit: unlimited },
      { key: 'user', detailedMetric: true, rateLimit: perHour(3_600) },
      { key: 'plan', value: 'gold', detailedMetric: true, rateLimit: perHour(3_600) },
    ]);
    expect(await limitsOf([rules])).toEqual({ [labels('key1="plan_gold"')]: 1 });
  });

  it('are those of the rules in force', async () => {
    const before = ruleSetOf('shop', [{ key: 'old' }]);
    const after = ruleSetOf('shop', [{ key: 'new', rateLimit: perHour(3_600) }], 'v2');
    expect(await limitsOf([before, after])).toEqual({ [labels('key1="new"')]: 1 });
  });

  it('have a bound, and are all there below it', async () => {
    const rules = ruleSetOf(
      'shop',
      Array.from({ length: 1_200 }, (_, number) => ({ key: `key-${number}` })),
    );
    expect(Object.keys(await limitsOf([rules], { maxSeries: 700 }))).toHaveLength(700);
    expect(Object.keys(await limitsOf([rules]))).toHaveLength(1_200);
  });
});
