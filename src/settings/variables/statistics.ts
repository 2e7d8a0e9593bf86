import { duration, flag, float64, integer, list, map, port, text } from '../value-type.ts';
import { honoured, refused, withoutEffect } from '../variable.ts';

const noStatsd = 'this version does not send to statsd';
const noTraces = 'this version sends no traces';
const scraped = 'metrics are read at /metrics, as they are at that moment';
const instead =
  'Metrics are at /metrics of the HTTP port, and with USE_PROMETHEUS=true also at PROMETHEUS_ADDR.';

/** Metrics and traces. */
export const statisticsVariables = {
  USE_DOG_STATSD: refused(flag, false, 'DogStatsD as the sink of metrics; true is refused for now.', {
    reason: 'statsd is not part of this version.',
    refuses: (value) => (value ? `${noStatsd}. ${instead} Remove USE_DOG_STATSD.` : undefined),
  }),
  USE_DOG_STATSD_MOGRIFIERS: withoutEffect(list, [], 'DogStatsD: names of rewriting rules.', noStatsd),
  USE_STATSD: refused(flag, false, 'statsd as the sink of metrics; true is refused for now.', {
    reason:
      'statsd is not part of this version. Reference: true; Weir sends nothing anywhere unless asked to.',
    refuses: (value) =>
      value ? `${noStatsd}. ${instead} Remove USE_STATSD, or set it to false.` : undefined,
  }),
  STATSD_HOST: withoutEffect(text, 'localhost', 'statsd: host.', noStatsd),
  STATSD_PORT: withoutEffect(port, 8125, 'statsd: port.', noStatsd),
  STATSD_PROTOCOL: withoutEffect(text, 'tcp', 'statsd: tcp or udp.', noStatsd),
  EXTRA_TAGS: withoutEffect(
    map,
    new Map<string, string>(),
    'Tags of every statistic.',
    'it is about statsd; labels that belong to a target are added by Prometheus',
  ),
  STATS_FLUSH_INTERVAL: withoutEffect(duration(), 10_000, 'Time between two sendings.', scraped),
  GOSTATS_FLUSH_INTERVAL_SECONDS: withoutEffect(
    integer(),
    5,
    'The same, for a part of the reference.',
    scraped,
  ),
  GOSTATS_LOGGING_SINK_DISABLED: withoutEffect(
    flag,
    false,
    'Statistics in the log.',
    'statistics are not written to the log',
  ),
  DISABLE_STATS: withoutEffect(
    flag,
    false,
    'No statistics.',
    `counting costs next to nothing, and ${scraped}`,
  ),
  USE_PROMETHEUS: honoured(flag, false, 'Opens PROMETHEUS_ADDR.', {
    reason: '`/metrics` is on the HTTP port in any case.',
  }),
  PROMETHEUS_ADDR: honoured(
    text,
    ':9090',
    'Address of the listener for metrics: `:port`, `host:port` or `[::1]:port`.',
  ),
  PROMETHEUS_PATH: honoured(text, '/metrics', 'Path of the metrics on that listener.'),
  PROMETHEUS_MAPPER_YAML: withoutEffect(
    text,
    '',
    'Mapping file of statsd_exporter.',
    'names and labels are built in, those of the default mapping; where a mapping had response times in milliseconds, as that of Envoy Gateway, set PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS=true',
  ),
  PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS: honoured(
    flag,
    false,
    'Response times in `ratelimit_service_response_time_seconds` are milliseconds.',
  ),
  TRACING_ENABLED: refused(flag, false, 'OpenTelemetry traces; true is refused for now.', {
    reason: 'Tracing is not part of this version.',
    refuses: (value) => (value ? `${noTraces}. Remove TRACING_ENABLED, or set it to false.` : undefined),
  }),
  TRACING_SERVICE_NAME: withoutEffect(text, 'RateLimit', 'Traces: name of the service.', noTraces),
  TRACING_SERVICE_NAMESPACE: withoutEffect(text, '', 'Traces: its namespace.', noTraces),
  TRACING_SERVICE_INSTANCE_ID: withoutEffect(text, '', 'Traces: its instance.', noTraces),
  TRACING_EXPORTER_PROTOCOL: withoutEffect(text, 'http', 'Traces: http or grpc.', noTraces),
  TRACING_SAMPLING_RATE: withoutEffect(float64, 1, 'Traces: share that is kept.', noTraces),
};

/** Names with a part that the user chooses. */
export const statisticsPatterns = {
  'DOG_STATSD_MOGRIFIER_<NAME>_PATTERN': withoutEffect(text, '', 'DogStatsD: a rewriting rule.', noStatsd),
  'DOG_STATSD_MOGRIFIER_<NAME>_NAME': withoutEffect(text, '', 'DogStatsD: a rewriting rule.', noStatsd),
  'DOG_STATSD_MOGRIFIER_<NAME>_TAGS': withoutEffect(text, '', 'DogStatsD: a rewriting rule.', noStatsd),
  'OTEL_EXPORTER_OTLP_<NAME>': withoutEffect(
    text,
    '',
    'Traces: where to and how; may hold tokens, never printed.',
    noTraces,
  ),
};

/** Weir's own, for the same. */
export const ownStatisticsVariables = {
  METRICS_MAX_SERIES: honoured(
    integer({ min: 1 }),
    10_000,
    'Label sets of rules in the metrics; further ones share a series.',
    {
      reason: 'Metrics must not grow without a bound.',
    },
  ),
  DETAILED_METRIC_MAX_VALUES: honoured(
    integer({ min: 1 }),
    1_000,
    'Values that one rule shows in its labels (`detailed_metric`, `value_to_metric`); further ones share a series.',
    { reason: 'Callers choose such values.' },
  ),
};
