import { type Row, replicas, totalRate } from '../panel.ts';

const time = 'ratelimit_service_response_time_seconds';
const calls = `${replicas},grpc_method="ShouldRateLimit"`;

/** `$scale` is 1, or 0.001 where PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS is set. */
function quantile(share: number, by = 'le'): string {
  const buckets = `sum by (${by}) (rate(${time}_bucket{${calls}}[$__rate_interval]))`;
  return `histogram_quantile(${share}, ${buckets}) * $scale`;
}

/** What Envoy waits unless told otherwise, in seconds. */
const deadline = 0.02;

export const latency: Row = {
  title: 'Latency',
  panels: [
    {
      title: 'Response time',
      description: 'Of ShouldRateLimit. The line is at 20 ms, which Envoy waits unless told otherwise.',
      kind: 'graph',
      unit: 's',
      line: deadline,
      queries: [
        { expression: quantile(0.5), legend: 'p50' },
        { expression: quantile(0.99), legend: 'p99' },
        { expression: quantile(0.999), legend: 'p99.9' },
      ],
    },
    {
      title: 'Response time by replica, p99',
      description: 'One that stands out is short of time, or of a good way to Redis.',
      kind: 'graph',
      unit: 's',
      line: deadline,
      queries: [{ expression: quantile(0.99, 'instance, le'), legend: '{{instance}}' }],
    },
    {
      title: 'Mean response time',
      description: 'Sum by number; it needs no buckets.',
      kind: 'graph',
      unit: 's',
      line: deadline,
      queries: [
        {
          expression: `${totalRate(`${time}_sum`, calls)} / ${totalRate(`${time}_count`, calls)} * $scale`,
          legend: 'mean',
        },
      ],
    },
    {
      title: 'Calls that were answered',
      description: 'By protocol and status of gRPC. Over limit is OK, with a code inside.',
      kind: 'graph',
      unit: 'reqps',
      queries: [
        {
          expression: `sum by (protocol, method, code) (rate(weir_calls_total{${replicas}}[$__rate_interval]))`,
          legend: '{{protocol}} {{method}} {{code}}',
        },
      ],
    },
  ],
};
