import { type Row, rateBy, replicas, totalRate } from '../panel.ts';

function quantile(share: number): string {
  return `histogram_quantile(${share}, ${rateBy('node, le', 'weir_store_latency_seconds_bucket')})`;
}

export const store: Row = {
  title: 'Store',
  panels: [
    {
      title: 'Store latency by node',
      description:
        'Time of script calls. The line is at 10 ms, half of what Envoy waits unless told otherwise.',
      kind: 'graph',
      unit: 's',
      line: 0.01,
      queries: [
        { expression: quantile(0.5), legend: 'p50 {{node}}' },
        { expression: quantile(0.99), legend: 'p99 {{node}}' },
      ],
    },
    {
      title: 'Store errors by kind',
      description: 'Hits that got an error instead of a count. What to do about each kind is in the runbook.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: rateBy('node, kind', 'weir_store_errors_total'), legend: '{{kind}} {{node}}' }],
    },
    {
      title: 'Breaker by node and replica',
      description: '0 closed, 1 half-open, 2 open: the node is not asked. No series before its first change.',
      kind: 'graph',
      unit: 'none',
      queries: [{ expression: `weir_store_breaker_state{${replicas}}`, legend: '{{node}} of {{instance}}' }],
    },
    {
      title: 'Changes of breakers',
      description: 'To which state, and why.',
      kind: 'graph',
      unit: 'short',
      queries: [
        {
          expression: `sum by (to, cause) (increase(weir_store_breaker_transitions_total{${replicas}}[$__rate_interval]))`,
          legend: '{{to}}: {{cause}}',
        },
      ],
    },
    {
      title: 'Work of the store',
      description: 'Script calls by node, the counters that they touch, and the hits in them.',
      kind: 'graph',
      unit: 'ops',
      queries: [
        { expression: rateBy('node', 'weir_store_script_calls_total'), legend: 'calls {{node}}' },
        { expression: rateBy('node', 'weir_store_script_operations_total'), legend: 'counters {{node}}' },
        { expression: rateBy('node', 'weir_store_script_hits_total'), legend: 'hits {{node}}' },
      ],
    },
    {
      title: 'Connections to Redis',
      description: 'Open, and opened a second. Many that are opened means that they break.',
      kind: 'graph',
      unit: 'short',
      queries: [
        {
          expression: `sum by (instance) (ratelimit_redis_pool_cx_active{${replicas}})`,
          legend: '{{instance}}',
        },
        { expression: totalRate('ratelimit_redis_pool_cx_total'), legend: 'opened a second' },
        { expression: totalRate('ratelimit_redis_pool_cx_local_close'), legend: 'closed a second' },
      ],
    },
    {
      title: 'Counters in memory',
      description: 'Keys in the deny cache, and counters of the memory store where it is used.',
      kind: 'graph',
      unit: 'short',
      queries: [
        { expression: `weir_deny_cache_entries{${replicas}}`, legend: 'deny cache {{instance}}' },
        { expression: `weir_memory_store_counters{${replicas}}`, legend: 'memory store {{instance}}' },
      ],
    },
    {
      title: 'Counters given up for room',
      description: 'By the memory store, before their window ended: MEMORY_STORE_MAX_COUNTERS is too small.',
      kind: 'graph',
      unit: 'ops',
      queries: [
        { expression: rateBy('instance', 'weir_memory_store_evictions_total'), legend: '{{instance}}' },
      ],
    },
  ],
};
