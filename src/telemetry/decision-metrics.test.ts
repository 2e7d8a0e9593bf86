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

it('hits that were warned of are counted by their rule', async () => {
  const metrics = metricsOf(plain);
  const warning = { share: 0.8, used: 9, capacity: 10, secondsUntilReset: 60 };
  metrics.listener(hitOn(plain, 'shop', 'ip=x'));
  metrics.listener(hitOn(plain, 'shop', 'ip=x', { warning, hits: 3 }));
  expect(await seriesWith(metrics, 'weir_limit_warnings_total')).toEqual({
    'weir_limit_warnings_total{domain="shop",key1="ip"}': 3,
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
      'weir_descriptors_total{source="exempt"}': 0,
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
