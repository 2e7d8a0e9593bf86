import { describe, expect, it } from 'vitest';
import { hitOn, ruleSetOf } from '../../../test/support/decision-events.ts';
import { seriesWith } from '../../../test/support/scrape.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { Gains } from './gains.ts';

const rules = ruleSetOf('shop', [
  { key: 'ip' },
  {
    key: 'a',
    descriptors: [{ key: 'b', descriptors: [{ key: 'c' }, { key: 'd', detailedMetric: true }] }],
  },
]);

function metricsWithPaths(of: RuleSet, maxSeries = 100): Metrics {
  const metrics = createMetrics({ withProcess: false, withWholePaths: true, maxSeries });
  metrics.onConfigLoad({ result: { kind: 'applied', version: of.version, issues: [] }, at: 0 }, of);
  return metrics;
}

/** What the statistics of rules gained, by name. */
async function taken(gains: Gains): Promise<Record<string, number>> {
  const figures = [...(await gains.take())].filter(({ name }) => name.endsWith('.total_hits'));
  const prefix = 'ratelimit.service.rate_limit.';
  return Object.fromEntries(figures.map(({ name, value }) => [name.slice(prefix.length, -11), value]));
}

describe('what statsd is sent', () => {
  it('is what rules gained since it was last asked for', async () => {
    const metrics = metricsWithPaths(rules);
    const gains = new Gains(metrics.numbers);
    metrics.listener(hitOn(rules, 'shop', 'ip=x'));
    metrics.listener(hitOn(rules, 'shop', 'ip=y', { hits: 4 }));
    expect(await taken(gains)).toEqual({ 'shop.ip': 5 });
    expect(await taken(gains)).toEqual({});
    metrics.listener(hitOn(rules, 'shop', 'ip=x'));
    expect(await taken(gains)).toEqual({ 'shop.ip': 1 });
  });

  it('tells rules apart that share the labels of the page, which adds them up', async () => {
    const metrics = metricsWithPaths(rules);
    const gains = new Gains(metrics.numbers);
    metrics.listener(hitOn(rules, 'shop', 'a=1,b=2,c=3'));
    metrics.listener(hitOn(rules, 'shop', 'a=1,b=2,d=3'));
    metrics.listener(hitOn(rules, 'shop', 'a=1,b=2,d=4'));
    expect(await taken(gains)).toEqual({ 'shop.a.b.c': 1, 'shop.a_1.b_2.d_3': 1, 'shop.a_1.b_2.d_4': 1 });
    expect(await seriesWith(metrics, 'total_hits{')).toEqual({
      'ratelimit_service_rate_limit_total_hits{domain="shop",key1="a",key2="b"}': 1,
      'ratelimit_service_rate_limit_total_hits{domain="shop",key1="a_1",key2="b_2"}': 2,
    });
  });

  it('is bounded as the page is: what has no room is under (other)', async () => {
    const metrics = metricsWithPaths(rules, 2);
    const gains = new Gains(metrics.numbers);
    for (let i = 0; i < 50; i++) metrics.listener(hitOn(rules, 'shop', `a=1,b=2,d=${i}`));
    const gained = await taken(gains);
    expect(Object.values(gained).reduce((sum, value) => sum + value, 0)).toBe(50);
    expect(Object.keys(gained).length).toBeLessThanOrEqual(3);
  });

  it('goes on after a reload, without counting anything twice', async () => {
    const metrics = metricsWithPaths(rules);
    const gains = new Gains(metrics.numbers);
    metrics.listener(hitOn(rules, 'shop', 'ip=x'));
    await taken(gains);
    const others = ruleSetOf('shop', [{ key: 'ip' }, { key: 'new' }]);
    metrics.onConfigLoad({ result: { kind: 'applied', version: 'v2', issues: [] }, at: 1 }, others);
    metrics.listener(hitOn(others, 'shop', 'ip=x'));
    metrics.listener(hitOn(others, 'shop', 'new=x'));
    expect(await taken(gains)).toEqual({ 'shop.ip': 1, 'shop.new': 1 });
  });
});
