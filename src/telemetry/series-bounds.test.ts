import { describe, expect, it } from 'vitest';
import { descriptorOf, eventOf, hitOn, outcomeOf, ruleSetOf } from '../../test/support/decision-events.ts';
import { scrape, seriesWith } from '../../test/support/scrape.ts';
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

describe('bounds of the series', () => {
  const detailed = ruleSetOf('shop', [{ key: 'user', detailedMetric: true }, { key: 'ip' }, { key: 'tier' }]);

  it('values beyond the cap of a rule share a series', async () => {
    const metrics = metricsOf(detailed, { maxValuesPerRule: 2 });
    for (const user of ['al', 'bo', 'al', 'cy', 'di', 'cy']) {
      metrics.listener(hitOn(detailed, 'shop', `user=${user}`));
    }
    expect(await seriesWith(metrics, 'total_hits{')).toEqual({
      [`${family}total_hits{domain="shop",key1="user_al"}`]: 2,
      [`${family}total_hits{domain="shop",key1="user_bo"}`]: 1,
      [`${family}total_hits{domain="shop",key1="user_(other)"}`]: 3,
    });
    expect(await seriesWith(metrics, 'weir_metrics_overflow')).toEqual({ weir_metrics_overflow_total: 3 });
  });

  it('values take at most half of the room, so that rules find some', async () => {
    const metrics = metricsOf(detailed, { maxSeries: 6 });
    for (const user of ['a', 'b', 'c', 'd', 'e', 'f'])
      metrics.listener(hitOn(detailed, 'shop', `user=${user}`));
    metrics.listener(hitOn(detailed, 'shop', 'ip=x'));
    metrics.listener(hitOn(detailed, 'shop', 'tier=x'));
    expect(await seriesWith(metrics, 'total_hits{')).toEqual({
      [`${family}total_hits{domain="shop",key1="user_a"}`]: 1,
      [`${family}total_hits{domain="shop",key1="user_b"}`]: 1,
      [`${family}total_hits{domain="shop",key1="user_c"}`]: 1,
      [`${family}total_hits{domain="shop",key1="user_(other)"}`]: 3,
      [`${family}total_hits{domain="shop",key1="ip"}`]: 1,
      [`${family}total_hits{domain="shop",key1="tier"}`]: 1,
    });
  });

  it('rules beyond the cap share a series, and nothing is lost', async () => {
    const rules = ruleSetOf('shop', [{ key: 'a' }, { key: 'b' }, { key: 'c' }, { key: 'd' }]);
    const metrics = metricsOf(rules, { maxSeries: 2 });
    for (const key of ['a', 'b', 'c', 'd']) metrics.listener(hitOn(rules, 'shop', `${key}=x`));
    expect(await seriesWith(metrics, 'total_hits{')).toEqual({
      [`${family}total_hits{domain="shop",key1="a"}`]: 1,
      [`${family}total_hits{domain="shop",key1="b"}`]: 1,
      [`${family}total_hits{domain="(other)",key1="(other)"}`]: 2,
    });
  });

  it('series of rules that are gone make room, and only when it is needed', async () => {
    const before = ruleSetOf('shop', [{ key: 'a' }, { key: 'kept' }]);
    const after = ruleSetOf('shop', [{ key: 'kept' }, { key: 'b' }, { key: 'c' }], 'v2');
    const metrics = metricsOf(before, { maxSeries: 3 });
    metrics.listener(hitOn(before, 'shop', 'a=x'));
    metrics.listener(hitOn(before, 'shop', 'kept=x'));
    apply(metrics, after);
    metrics.listener(hitOn(after, 'shop', 'b=x'));
    expect(Object.keys(await seriesWith(metrics, 'total_hits{'))).toContain(
      `${family}total_hits{domain="shop",key1="a"}`,
    );
    metrics.listener(hitOn(after, 'shop', 'c=x'));
    metrics.listener(hitOn(after, 'shop', 'kept=x'));
    expect(await seriesWith(metrics, 'total_hits{')).toEqual({
      [`${family}total_hits{domain="shop",key1="kept"}`]: 2,
      [`${family}total_hits{domain="shop",key1="b"}`]: 1,
      [`${family}total_hits{domain="shop",key1="c"}`]: 1,
    });
  });

  describe('with values that are sensitive', () => {
    const hashed = ruleSetOf('shop', [
      { key: 'user', detailedMetric: true, sensitive: true },
      { key: 'ip' },
      { key: 'plan', detailedMetric: true },
    ]);
    const series = async (metrics: Metrics) =>
      Object.entries(await seriesWith(metrics, 'total_hits{')).map(([name, value]) => [
        name.replace(/#~[\w-]{16}"/, 'HASH"').slice(`${family}total_hits{domain="shop",key1=`.length),
        value,
      ]);

    it('go at once, also for requests that began before the reload; others stay', async () => {
      const metrics = metricsOf(detailed);
      metrics.listener(hitOn(detailed, 'shop', 'user=al'));
      metrics.listener(hitOn(detailed, 'shop', 'ip=x'));
      apply(metrics, hashed);
      for (const user of ['al', 'bo']) metrics.listener(hitOn(detailed, 'shop', `user=${user}`));
      expect(await series(metrics)).toEqual([
        ['"ip"}', 1],
        ['"user_(other)"}', 1],
      ]);
      metrics.listener(hitOn(hashed, 'shop', 'user=al'));
      metrics.listener(hitOn(hashed, 'shop', 'plan=free'));
      apply(metrics, { ...hashed, version: 'v2' });
      metrics.listener(hitOn(hashed, 'shop', 'user=al'));
      expect(await series(metrics)).toEqual([
        ['"ip"}', 1],
        ['"user_(other)"}', 1],
        ['"user_HASH"}', 2],
        ['"plan_free"}', 1],
      ]);
    });
  });

  it('T01: limits in requests share one series, however many values they come with', async () => {
    const metrics = metricsOf(plain);
    const before = (await scrape(metrics)).size;
    for (let index = 0; index < 100_000; index += 1) {
      const outcome = outcomeOf(descriptorOf(`ip=${index}`), { source: 'override' });
      metrics.listener(eventOf(plain, 'shop', [outcome]));
    }
    expect((await scrape(metrics)).size).toBe(before);
    expect(await seriesWith(metrics, 'weir_override_hits_total{stat="total_hits"')).toEqual({
      'weir_override_hits_total{stat="total_hits"}': 100_000,
    });
  });

  it('T01: values in labels stop at their cap', async () => {
    const metrics = metricsOf(detailed, { maxSeries: 1_000, maxValuesPerRule: 100 });
    for (let index = 0; index < 100_000; index += 1) {
      metrics.listener(hitOn(detailed, 'shop', `user=${index}`));
    }
    const series = await seriesWith(metrics, 'total_hits{');
    expect(Object.keys(series)).toHaveLength(101);
    expect(series[`${family}total_hits{domain="shop",key1="user_(other)"}`]).toBe(100_000 - 100);
  });

  it('T02: unknown domains share one series', async () => {
    const metrics = metricsOf(plain);
    const before = (await scrape(metrics)).size;
    for (let index = 0; index < 100_000; index += 1) {
      const outcome = outcomeOf(descriptorOf('ip=x'), { source: 'unmatched', withinLimit: 0 });
      metrics.listener(eventOf(plain, `domain-${index}`, [outcome]));
    }
    expect((await scrape(metrics)).size).toBe(before);
    expect(await seriesWith(metrics, 'weir_unmatched_total')).toEqual({
      'weir_unmatched_total{reason="unknown_domain"}': 100_000,
      'weir_unmatched_total{reason="no_rule"}': 0,
    });
  });
});
