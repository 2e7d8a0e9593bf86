import { describe, expect, it } from 'vitest';
import { hitOn, refused, ruleSetOf } from '../../test/support/decision-events.ts';
import { seriesWith } from '../../test/support/scrape.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { createMetrics, type Metrics, type MetricsOptions } from './metrics.ts';

const plain = ruleSetOf('shop', [
  { key: 'plan', value: 'free' },
  { key: 'ip' },
  { key: 'a', descriptors: [{ key: 'b', descriptors: [{ key: 'c' }, { key: 'd' }] }] },
]);

function metricsOf(rules: RuleSet, options: MetricsOptions = {}): Metrics {
  const metrics = createMetrics({ withProcess: false, ...options });
  apply(metrics, rules);
  return metrics;
}

function apply(metrics: Metrics, rules: RuleSet): void {
  metrics.onConfigLoad({ result: { kind: 'applied', version: rules.version, issues: [] }, at: 0 }, rules);
}

const family = 'ratelimit_service_rate_limit_';

describe('series of rules', () => {
  it('are not there before the first hit', async () => {
    expect(await seriesWith(metricsOf(plain), family)).toEqual({});
  });

  it.each([
    ['an allowed hit', {}, { total_hits: 1, within_limit: 1 }],
    ['a near hit', { nearLimit: 1 }, { total_hits: 1, within_limit: 1, near_limit: 1 }],
    ['a refused hit', refused, { total_hits: 1, over_limit: 1 }],
    [
      'hits that cross the limit',
      { ...refused, hits: 15, nearLimit: 2, overLimit: 5 },
      { total_hits: 15, near_limit: 2, over_limit: 5 },
    ],
    [
      'a hit over the limit of a shadow rule',
      { withinLimit: 0, overLimit: 1, shadowMode: 1 },
      { total_hits: 1, over_limit: 1, shadow_mode: 1 },
    ],
    [
      'a refusal from the deny cache',
      { ...refused, hits: 3, overLimit: 3, fromDenyCache: true },
      { total_hits: 3, over_limit: 3, over_limit_with_local_cache: 3 },
    ],
    ['a refund', { isRefund: true, hits: 4, withinLimit: 0 }, { total_negative_hits: 4 }],
    ['a look', { hits: 0, withinLimit: 0 }, {}],
    ['a refund of nothing', { isRefund: true, hits: 0, withinLimit: 0 }, {}],
  ])('gain by %s', async (_, changes, gained) => {
    const metrics = metricsOf(plain);
    metrics.listener(hitOn(plain, 'shop', 'ip=x', changes));
    const expected = Object.entries(gained).map(([statistic, value]) => [
      `${family}${statistic}{domain="shop",key1="ip"}`,
      value,
    ]);
    expect(await seriesWith(metrics, family)).toEqual(Object.fromEntries(expected));
  });

  it('count counters that were begun, and their memory, from a thousand on', async () => {
    const metrics = metricsOf(plain);
    const begin = (times: number) => {
      for (let i = 0; i < times; i++) metrics.listener(hitOn(plain, 'shop', 'ip=x', { begunKeyLength: 20 }));
    };
    begin(999);
    expect(await seriesWith(metrics, 'weir_counters')).toEqual({});
    begin(1);
    metrics.listener(hitOn(plain, 'shop', 'ip=x'));
    expect(await seriesWith(metrics, 'weir_counters')).toEqual({
      'weir_counters_created_total{domain="shop",key1="ip"}': 1_000,
      'weir_counters_created_bytes_total{domain="shop",key1="ip"}': 160_000,
    });
  });

  it('add up for rules with the same labels', async () => {
    const metrics = metricsOf(plain);
    metrics.listener(hitOn(plain, 'shop', 'a=1,b=2,c=3'));
    metrics.listener(hitOn(plain, 'shop', 'a=1,b=2,d=3'));
    expect(await seriesWith(metrics, 'total_hits{')).toEqual({
      [`${family}total_hits{domain="shop",key1="a",key2="b"}`]: 2,
    });
  });

  it('escape what would end a label', async () => {
    const rules = ruleSetOf('shop', [{ key: 'q', value: '"\\\n' }]);
    const metrics = metricsOf(rules);
    metrics.listener(hitOn(rules, 'shop', 'q="\\\n'));
    expect(Object.keys(await seriesWith(metrics, 'total_hits{'))).toEqual([
      `${family}total_hits{domain="shop",key1="q_\\"\\\\\\n"}`,
    ]);
  });

  it('go on after a reload, and count requests that began before it', async () => {
    const metrics = metricsOf(plain);
    const renewed = ruleSetOf('shop', [{ key: 'new' }, { key: 'ip' }], 'v2');
    metrics.listener(hitOn(plain, 'shop', 'ip=x'));
    apply(metrics, renewed);
    metrics.listener(hitOn(renewed, 'shop', 'ip=x'));
    metrics.listener(hitOn(plain, 'shop', 'ip=x'));
    metrics.listener(hitOn(renewed, 'shop', 'new=x'));
    expect(await seriesWith(metrics, 'total_hits{')).toEqual({
      [`${family}total_hits{domain="shop",key1="ip"}`]: 3,
      [`${family}total_hits{domain="shop",key1="new"}`]: 1,
    });
  });
});
