import { describe, expect, it } from 'vitest';
import {
  descriptorOf,
  eventOf,
  hitOn,
  outcomeOf,
  refused,
  ruleSetOf,
} from '../../test/support/decision-events.ts';
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

describe('totals', () => {
  it('count each descriptor by the source of its limit', async () => {
    const metrics = metricsOf(plain);
    const sources = ['override', 'unlimited', 'replaced', 'unmatched', 'unmatched'] as const;
    metrics.listener(
      eventOf(
        plain,
        'shop',
        sources.map((source) => outcomeOf(descriptorOf('x=y'), { source })),
      ),
    );
    metrics.listener(hitOn(plain, 'shop', 'ip=x'));
    expect(await seriesWith(metrics, 'weir_descriptors_total')).toEqual({
      'weir_descriptors_total{source="rule"}': 1,
      'weir_descriptors_total{source="override"}': 1,
      'weir_descriptors_total{source="unlimited"}': 1,
      'weir_descriptors_total{source="replaced"}': 1,
      'weir_descriptors_total{source="unmatched"}': 2,
    });
    expect(await seriesWith(metrics, 'reason="no_rule"')).toEqual({
      'weir_unmatched_total{reason="no_rule"}': 2,
    });
    expect(Object.keys(await seriesWith(metrics, 'total_hits{domain'))).toEqual([
      `${family}total_hits{domain="shop",key1="ip"}`,
    ]);
  });

  it('count requests by overall code, and those that global shadow mode let pass', async () => {
    const metrics = metricsOf(plain);
    metrics.listener(hitOn(plain, 'shop', 'ip=x'));
    metrics.listener(hitOn(plain, 'shop', 'ip=x', refused));
    metrics.listener({ ...hitOn(plain, 'shop', 'ip=x'), shadowed: true });
    expect(await seriesWith(metrics, 'weir_decisions_total')).toEqual({
      'weir_decisions_total{code="OK"}': 2,
      'weir_decisions_total{code="OVER_LIMIT"}': 1,
    });
    expect(await seriesWith(metrics, 'global_shadow_mode')).toEqual({
      ratelimit_service_global_shadow_mode: 1,
    });
  });

  it.each([
    ['INVALID_ARGUMENT', [], 'service_error'],
    ['PERMISSION_DENIED', [], 'service_error'],
    ['UNAVAILABLE', [], 'service_error'],
    ['UNAVAILABLE', [{ kind: 'connection', message: 'refused', node: 'r:6379' }], 'redis_error'],
    ['DEADLINE_EXCEEDED', [{ kind: 'timeout', message: 'late', node: 'r:6379' }], 'redis_error'],
    ['RESOURCE_EXHAUSTED', [{ kind: 'overload', message: 'full', node: 'r:6379' }], 'redis_error'],
  ] as const)('count a failure %s with store errors %j as %s', async (code, storeErrors, errorType) => {
    const metrics = metricsOf(plain);
    const answer = { kind: 'failure', code, message: '' } as const;
    metrics.listener(eventOf(plain, 'shop', [], { answer, storeErrors }));
    const gained = [...(await scrape(metrics))].filter(
      ([name, value]) => /error|failure/.test(name) && value > 0,
    );
    expect(gained).toEqual([
      [`ratelimit_service_should_rate_limit_error{err_type="${errorType}"}`, 1],
      [`weir_failures_total{code="${code}"}`, 1],
    ]);
  });

  it('count a message that could not be decoded', async () => {
    const metrics = metricsOf(plain);
    metrics.onRefusal('INVALID_ARGUMENT');
    expect(await seriesWith(metrics, 'INVALID_ARGUMENT')).toEqual({
      'weir_failures_total{code="INVALID_ARGUMENT"}': 1,
    });
  });

  it('count answers that came after their deadline', async () => {
    const metrics = metricsOf(plain);
    metrics.listener({ ...hitOn(plain, 'shop', 'ip=x'), isLate: true });
    metrics.listener(hitOn(plain, 'shop', 'ip=x'));
    expect(await seriesWith(metrics, 'weir_late')).toEqual({ weir_late_answers_total: 1 });
  });

  it('by policy are counted as such', async () => {
    const metrics = metricsOf(plain);
    for (const policy of ['allow', 'allow', 'local'] as const) {
      metrics.listener(eventOf(plain, 'shop', [], { policy }));
    }
    expect(await seriesWith(metrics, 'weir_degraded')).toEqual({
      'weir_degraded_decisions_total{policy="deny"}': 0,
      'weir_degraded_decisions_total{policy="error"}': 0,
      'weir_degraded_decisions_total{policy="local"}': 1,
      'weir_degraded_decisions_total{policy="allow"}': 2,
    });
  });
});
