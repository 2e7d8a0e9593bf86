import { describe, expect, it } from 'vitest';
import { hitOn, ruleSetOf } from '../../test/support/decision-events.ts';
import { scrape, seriesWith } from '../../test/support/scrape.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import { createMetrics, type Metrics, type MetricsOptions } from './metrics.ts';

const rules = ruleSetOf('shop', [{ key: 'ip' }, { key: 'plan', value: 'free' }], 'abc');

function withoutProcess(options: MetricsOptions = {}): Metrics {
  return createMetrics({ withProcess: false, ...options });
}

function issueIn(file: string, severity: ConfigIssue['severity'] = 'error'): ConfigIssue {
  return { severity, code: 'unknown-key', file, line: 1, column: 1, message: 'unknown key' };
}

/** Each series that is not what it was. */
async function changed(metrics: Metrics, act: () => void): Promise<Record<string, number>> {
  const before = await scrape(metrics);
  act();
  return Object.fromEntries(
    [...(await scrape(metrics))].filter(([name, value]) => value !== before.get(name)),
  );
}

describe('createMetrics()', () => {
  it('T05: every counter of a fault is there from the start, as 0', async () => {
    const series = await scrape(withoutProcess());
    const names = [
      'ratelimit_service_config_load_success',
      'ratelimit_service_config_load_error',
      'ratelimit_service_should_rate_limit_error{err_type="redis_error"}',
      'ratelimit_service_should_rate_limit_error{err_type="service_error"}',
      'ratelimit_service_global_shadow_mode',
      'ratelimit_service_total_requests{grpc_method="ShouldRateLimit"}',
      'ratelimit_service_response_time_seconds_count{grpc_method="ShouldRateLimit"}',
      'weir_failures_total{code="INVALID_ARGUMENT"}',
      'weir_failures_total{code="PERMISSION_DENIED"}',
      'weir_failures_total{code="UNAVAILABLE"}',
      'weir_failures_total{code="DEADLINE_EXCEEDED"}',
      'weir_failures_total{code="RESOURCE_EXHAUSTED"}',
      'weir_unmatched_total{reason="unknown_domain"}',
      'weir_unmatched_total{reason="no_rule"}',
      'weir_late_answers_total',
      'weir_metrics_overflow_total',
      'weir_config_last_load_ok',
      'weir_store_compensations_lost_total',
      'weir_memory_store_evictions_total',
      'weir_store_local_by_default',
    ];
    expect(names.filter((name) => series.get(name) !== 0)).toEqual([]);
  });

  it('T05: each fault moves a counter of its own', async () => {
    const metrics = withoutProcess();
    const event = hitOn(rules, 'shop', 'ip=x');
    const invalid = { kind: 'failure', code: 'INVALID_ARGUMENT', message: '' } as const;
    const unavailable = { kind: 'failure', code: 'UNAVAILABLE', message: '' } as const;
    const storeErrors = [{ kind: 'timeout', message: '', node: 'r:1' }] as const;
    const faults: Record<string, () => void> = {
      ratelimit_service_config_load_error: () =>
        metrics.onConfigLoad(
          { result: { kind: 'rejected', version: 'bad', issues: [issueIn('a')] }, at: 1 },
          rules,
        ),
      ratelimit_service_config_load_success: () =>
        metrics.onConfigLoad({ result: { kind: 'applied', version: 'good', issues: [] }, at: 2 }, rules),
      'ratelimit_service_should_rate_limit_error{err_type="redis_error"}': () =>
        metrics.listener({ ...event, answer: unavailable, outcomes: [], storeErrors }),
      'ratelimit_service_should_rate_limit_error{err_type="service_error"}': () =>
        metrics.listener({ ...event, answer: invalid, outcomes: [] }),
      weir_late_answers_total: () => metrics.listener({ ...event, isLate: true }),
    };
    for (const [own, cause] of Object.entries(faults)) {
      const moved = Object.keys(await changed(metrics, cause));
      expect(moved.filter((name) => name in faults)).toEqual([own]);
    }
  });

  it('T06: a call of 3 ms is in the bucket of 0.005 s', async () => {
    const metrics = withoutProcess();
    metrics.onCall({
      protocol: 'grpc',
      method: 'ShouldRateLimit',
      isStream: false,
      code: 'OK',
      seconds: 0.003,
    });
    const series = await seriesWith(metrics, 'response_time');
    const name = 'ratelimit_service_response_time_seconds';
    expect(series).toMatchObject({
      [`${name}_bucket{grpc_method="ShouldRateLimit",le="0.005"}`]: 1,
      [`${name}_bucket{grpc_method="ShouldRateLimit",le="+Inf"}`]: 1,
      [`${name}_sum{grpc_method="ShouldRateLimit"}`]: 0.003,
      [`${name}_count{grpc_method="ShouldRateLimit"}`]: 1,
    });
  });

  it('shows response times in milliseconds when asked, as the reference does', async () => {
    const metrics = withoutProcess({ responseTimeUnit: 'milliseconds' });
    metrics.onCall({
      protocol: 'grpc',
      method: 'ShouldRateLimit',
      isStream: false,
      code: 'OK',
      seconds: 0.003,
    });
    expect(await seriesWith(metrics, 'seconds_sum{')).toEqual({
      'ratelimit_service_response_time_seconds_sum{grpc_method="ShouldRateLimit"}': 3,
    });
  });

  it('counts calls by method and status', async () => {
    const metrics = withoutProcess();
    metrics.onCall({ protocol: 'grpc', method: 'ShouldRateLimit', isStream: false, code: 'OK', seconds: 0 });
    metrics.onCall({
      protocol: 'grpc',
      method: 'ShouldRateLimit',
      isStream: false,
      code: 'UNAVAILABLE',
      seconds: 0,
    });
    metrics.onCall({ protocol: 'grpc', method: 'Check', isStream: false, code: 'OK', seconds: 0 });
    expect(await seriesWith(metrics, 'total_requests')).toEqual({
      'ratelimit_service_total_requests{grpc_method="ShouldRateLimit"}': 2,
      'ratelimit_service_total_requests{grpc_method="Check"}': 1,
    });
    expect(await seriesWith(metrics, 'weir_calls_total')).toEqual({
      'weir_calls_total{protocol="grpc",method="ShouldRateLimit",code="OK"}': 1,
      'weir_calls_total{protocol="grpc",method="ShouldRateLimit",code="UNAVAILABLE"}': 1,
      'weir_calls_total{protocol="grpc",method="Check",code="OK"}': 1,
    });
  });

  it("leaves streams out of the reference's families: they last as long as their callers like", async () => {
    const metrics = withoutProcess();
    const moved = await changed(metrics, () =>
      metrics.onCall({ protocol: 'grpc', method: 'Watch', isStream: true, code: 'OK', seconds: 3_600 }),
    );
    expect(moved).toEqual({ 'weir_calls_total{protocol="grpc",method="Watch",code="OK"}': 1 });
  });

  it('counts calls over HTTP by themselves: the families of the reference are about gRPC', async () => {
    const metrics = withoutProcess();
    const moved = await changed(metrics, () =>
      metrics.onCall({
        protocol: 'http',
        method: 'ShouldRateLimit',
        isStream: false,
        code: 'OK',
        seconds: 0.003,
      }),
    );
    expect(moved).toEqual({ 'weir_calls_total{protocol="http",method="ShouldRateLimit",code="OK"}': 1 });
  });

  it('tells when limits are counted in this process although nobody asked for that', async () => {
    const name = 'weir_store_local_by_default';
    expect(await seriesWith(withoutProcess(), name)).toEqual({ [name]: 0 });
    expect(await seriesWith(withoutProcess({ storeIsLocalByDefault: true }), name)).toEqual({ [name]: 1 });
  });

  it('shows numbers that others keep, as they are at the time of the scrape', async () => {
    const metrics = withoutProcess();
    let entries = 1;
    metrics.read({ denyCacheEntries: () => entries });
    expect(await seriesWith(metrics, 'weir_deny_cache')).toEqual({ weir_deny_cache_entries: 1 });
    entries = 7;
    expect(await seriesWith(metrics, 'weir_deny_cache')).toEqual({ weir_deny_cache_entries: 7 });
    expect(await seriesWith(metrics, 'weir_memory_store_counters')).toEqual({});
  });

  it('counts counters that the memory store gave up', async () => {
    const metrics = withoutProcess();
    expect(await changed(metrics, () => metrics.onEviction())).toEqual({
      weir_memory_store_evictions_total: 1,
    });
  });

  it('shows the process', async () => {
    const series = await scrape(createMetrics());
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'weir_event_loop_busy_seconds_total',
    ]) {
      expect(series.get(name), name).toBeGreaterThanOrEqual(0);
    }
  });

  it('is a page of Prometheus text', async () => {
    const { contentType, body } = await withoutProcess().text();
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    const families = [...body.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, name]) => name);
    const helped = [...body.matchAll(/^# HELP (\S+) \S.*$/gm)].map(([, name]) => name);
    expect(families).toEqual(helped);
    expect(new Set(families).size).toBe(families.length);
    expect(body.endsWith('\n')).toBe(true);
  });
});

describe('metrics of the configuration', () => {
  it('C04: show that the only configuration was refused, and then that it was mended', async () => {
    const metrics = withoutProcess();
    const rejected = { kind: 'rejected', version: 'v1', issues: [issueIn('shop.yaml')] } as const;
    metrics.onConfigLoad({ result: rejected, at: 5_000 }, undefined);
    expect(await seriesWith(metrics, 'config')).toMatchObject({
      ratelimit_service_config_load_error: 1,
      ratelimit_service_config_load_success: 0,
      weir_config_last_load_ok: 0,
      weir_config_last_load_timestamp_seconds: 5,
      weir_config_applied_timestamp_seconds: 0,
      weir_config_rules: 0,
      'weir_config_file_errors{file="shop.yaml"}': 1,
    });
    metrics.onConfigLoad({ result: { kind: 'applied', version: 'abc', issues: [] }, at: 9_000 }, rules);
    const series = await seriesWith(metrics, 'config');
    expect(series).toMatchObject({
      ratelimit_service_config_load_error: 1,
      ratelimit_service_config_load_success: 1,
      weir_config_last_load_ok: 1,
      weir_config_last_load_timestamp_seconds: 9,
      weir_config_applied_timestamp_seconds: 9,
      'weir_config_info{version="abc"}': 1,
      weir_config_domains: 1,
      weir_config_rules: 2,
    });
    expect(Object.keys(series).filter((name) => name.includes('file_errors'))).toEqual([]);
  });

  it('C06: name the bad file of a load that was applied, and do not call it good', async () => {
    const metrics = withoutProcess();
    const issues = [
      issueIn('bad.yaml'),
      issueIn('bad.yaml'),
      issueIn('old.yaml', 'ignored'),
      issueIn('x', 'lint'),
    ];
    metrics.onConfigLoad({ result: { kind: 'applied', version: 'abc', issues }, at: 1 }, rules);
    expect(await seriesWith(metrics, 'config')).toMatchObject({
      ratelimit_service_config_load_error: 1,
      ratelimit_service_config_load_success: 1,
      weir_config_last_load_ok: 0,
      'weir_config_issues{severity="error"}': 2,
      'weir_config_issues{severity="ignored"}': 1,
      'weir_config_issues{severity="lint"}': 1,
    });
    expect(await seriesWith(metrics, 'file_errors')).toEqual({
      'weir_config_file_errors{file="bad.yaml"}': 2,
    });
  });

  it('keep the number of named files bounded', async () => {
    const metrics = withoutProcess();
    const issues = Array.from({ length: 5_000 }, (_, index) => issueIn(`${index}.yaml`));
    metrics.onConfigLoad({ result: { kind: 'rejected', version: 'v1', issues }, at: 1 }, undefined);
    const series = await seriesWith(metrics, 'file_errors');
    expect(Object.keys(series)).toHaveLength(101);
    expect(series['weir_config_file_errors{file="(other)"}']).toBe(4_900);
  });
});
