import { describe, expect, it } from 'vitest';
import { seriesWith } from '../../test/support/scrape.ts';
import type { RedisPool, RedisPoolEvent } from '../store/redis/store-event.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** Events say nothing of the pool where it does not matter. */
function metricsAfter(...events: (RedisPoolEvent & { readonly pool?: RedisPool })[]): Metrics {
  const metrics = createMetrics({ withProcess: false });
  for (const event of events) metrics.onStoreEvent({ pool: 'redis', ...event });
  return metrics;
}

const node = 'a:6379';

describe('metrics of the store', () => {
  it('count calls, the hits in them and their time, by node', async () => {
    const metrics = metricsAfter(
      { kind: 'call', node, hits: 12, operations: 5, ms: 0.4 },
      { kind: 'call', node, hits: 3, operations: 3, ms: 2 },
      { kind: 'call', node: 'b:6379', hits: 1, operations: 1, ms: 300 },
    );
    expect(await seriesWith(metrics, 'weir_store_script')).toEqual({
      'weir_store_script_calls_total{node="a:6379"}': 2,
      'weir_store_script_calls_total{node="b:6379"}': 1,
      'weir_store_script_hits_total{node="a:6379"}': 15,
      'weir_store_script_hits_total{node="b:6379"}': 1,
      'weir_store_script_operations_total{node="a:6379"}': 8,
      'weir_store_script_operations_total{node="b:6379"}': 1,
    });
    expect(await seriesWith(metrics, 'weir_store_latency_seconds_bucket{node="a:6379"')).toMatchObject({
      'weir_store_latency_seconds_bucket{node="a:6379",le="0.00025"}': 0,
      'weir_store_latency_seconds_bucket{node="a:6379",le="0.0005"}': 1,
      'weir_store_latency_seconds_bucket{node="a:6379",le="0.0025"}': 2,
      'weir_store_latency_seconds_bucket{node="a:6379",le="+Inf"}': 2,
    });
  });

  it('count hits without an answer by node and kind', async () => {
    const error = { kind: 'error', node, message: '' } as const;
    const metrics = metricsAfter(
      { ...error, errorKind: 'timeout', hits: 2 },
      { ...error, errorKind: 'timeout', hits: 1 },
      { ...error, errorKind: 'loading', hits: 1 },
      { ...error, errorKind: 'connection', hits: 4, node: '' },
    );
    expect(await seriesWith(metrics, 'weir_store_errors_total')).toEqual({
      'weir_store_errors_total{node="a:6379",kind="timeout"}': 3,
      'weir_store_errors_total{node="a:6379",kind="loading"}': 1,
      'weir_store_errors_total{node="",kind="connection"}': 4,
    });
  });

  it('count connections under the names of the reference', async () => {
    const opened = { kind: 'opened', node } as const;
    const metrics = metricsAfter(opened, opened, opened, { kind: 'closed', node });
    expect(await seriesWith(metrics, '_pool_')).toEqual({
      ratelimit_redis_pool_cx_active: 2,
      ratelimit_redis_pool_cx_total: 3,
      ratelimit_redis_pool_cx_local_close: 1,
    });
  });

  it('count connections to the Redis for limits per second apart', async () => {
    const [opened, closed] = [{ kind: 'opened', node } as const, { kind: 'closed', node } as const];
    const seconds = { pool: 'perSecond' } as const;
    const metrics = metricsAfter(
      opened,
      { ...opened, ...seconds },
      { ...opened, ...seconds },
      {
        ...closed,
        ...seconds,
      },
    );
    expect(await seriesWith(metrics, '_pool_')).toEqual({
      ratelimit_redis_pool_cx_active: 1,
      ratelimit_redis_pool_cx_total: 1,
      ratelimit_redis_pool_cx_local_close: 0,
      ratelimit_redis_per_second_pool_cx_active: 1,
      ratelimit_redis_per_second_pool_cx_total: 2,
      ratelimit_redis_per_second_pool_cx_local_close: 1,
    });
  });

  it('show no connection to a Redis for limits per second that can not be reached', async () => {
    const unusable = { kind: 'unusable', node, errorKind: 'connection', message: '' } as const;
    const metrics = metricsAfter({ ...unusable, pool: 'perSecond' });
    expect(await seriesWith(metrics, 'per_second_pool_cx_active')).toEqual({
      ratelimit_redis_per_second_pool_cx_active: 0,
    });
  });

  it('show the breaker of each node, and why it changed', async () => {
    const metrics = metricsAfter(
      { kind: 'breaker', node, from: 'closed', to: 'open', cause: 'timeout', reason: '' },
      { kind: 'breaker', node, from: 'open', to: 'half-open', cause: 'probe', reason: '' },
      { kind: 'breaker', node, from: 'half-open', to: 'open', cause: 'timeout', reason: '' },
      { kind: 'breaker', node: 'b:6379', from: 'open', to: 'closed', cause: 'answered', reason: '' },
    );
    expect(await seriesWith(metrics, 'weir_store_breaker')).toEqual({
      'weir_store_breaker_state{node="a:6379"}': 2,
      'weir_store_breaker_state{node="b:6379"}': 0,
      'weir_store_breaker_transitions_total{node="a:6379",to="open",cause="timeout"}': 2,
      'weir_store_breaker_transitions_total{node="a:6379",to="half-open",cause="probe"}': 1,
      'weir_store_breaker_transitions_total{node="b:6379",to="closed",cause="answered"}': 1,
    });
  });

  it('count hits that could not be given back', async () => {
    const metrics = metricsAfter({ kind: 'compensation-lost', node, hits: 3 });
    expect(await seriesWith(metrics, 'lost')).toEqual({ weir_store_compensations_lost_total: 3 });
  });

  it('keep the number of nodes bounded', async () => {
    const calls = Array.from({ length: 10_000 }, (_, index) => {
      return { kind: 'call', node: `10.0.0.${index}:6379`, hits: 1, operations: 1, ms: 0 } as const;
    });
    const series = await seriesWith(metricsAfter(...calls), 'weir_store_script_hits_total');
    expect(Object.keys(series)).toHaveLength(201);
    expect(series['weir_store_script_hits_total{node="(other)"}']).toBe(9_800);
  });
});
