import { choice, duration, flag, integer, list, map, port, text } from '../value-type.ts';
import { honoured, refused, withoutEffect } from '../variable.ts';

const scraped = 'metrics are read at /metrics, as they are at that moment';
const notRewritten =
  'names are sent as they are; the Datadog Agent rewrites them (dogstatsd_mapper_profiles), as other receivers do';

/** Metrics. */
export const statisticsVariables = {
  USE_DOG_STATSD: honoured(
    flag,
    false,
    'Sends metrics to a DogStatsD agent at `STATSD_HOST`, over UDP, with `EXTRA_TAGS` as tags.',
    { reason: '`/metrics` stays as it is beside it. Not together with USE_STATSD.' },
  ),
  USE_DOG_STATSD_MOGRIFIERS: refused(list, [], 'DogStatsD: names of rewriting rules; refused.', {
    reason: `Rewriting is the receiver's business: ${notRewritten}.`,
    refuses: (value) => (value.length > 0 ? `${notRewritten}. Remove USE_DOG_STATSD_MOGRIFIERS.` : undefined),
  }),
  USE_STATSD: honoured(flag, false, 'Sends metrics to a statsd server at `STATSD_HOST`.', {
    reason:
      'Reference: true; Weir sends nothing anywhere unless asked to. `/metrics` stays as it is beside it. Not together with USE_DOG_STATSD.',
  }),
  STATSD_HOST: honoured(text, 'localhost', 'statsd and DogStatsD: host.'),
  STATSD_PORT: honoured(port, 8125, 'statsd and DogStatsD: port.'),
  STATSD_PROTOCOL: honoured(
    choice({ tcp: 'tcp', udp: 'udp' } as const),
    'tcp',
    'statsd: what it speaks. DogStatsD is always UDP.',
  ),
  EXTRA_TAGS: honoured(
    map,
    new Map<string, string>(),
    'statsd: appended to each name as `.__key=value`; DogStatsD: tags.',
  ),
  STATS_FLUSH_INTERVAL: honoured(
    duration({ positive: true }),
    10_000,
    'statsd and DogStatsD: time between two sendings.',
    { reason: 'What is read at `/metrics` is as it is at that moment.' },
  ),
  GOSTATS_FLUSH_INTERVAL_SECONDS: withoutEffect(
    integer(),
    5,
    'Time between two sendings, for a part of the reference.',
    'STATS_FLUSH_INTERVAL says when statsd is sent to',
  ),
  GOSTATS_LOGGING_SINK_DISABLED: withoutEffect(
    flag,
    false,
    'Statistics in the log.',
    'statistics are not written to the log',
  ),
  DISABLE_STATS: honoured(flag, false, 'Sends nothing to statsd or DogStatsD, whatever else is set.', {
    reason: `Counting costs next to nothing, and ${scraped}.`,
  }),
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
};

/** Names with a part that the user chooses. */
export const statisticsPatterns = {
  'DOG_STATSD_MOGRIFIER_<NAME>_PATTERN': withoutEffect(
    text,
    '',
    'DogStatsD: a rewriting rule.',
    notRewritten,
  ),
  'DOG_STATSD_MOGRIFIER_<NAME>_NAME': withoutEffect(text, '', 'DogStatsD: a rewriting rule.', notRewritten),
  'DOG_STATSD_MOGRIFIER_<NAME>_TAGS': withoutEffect(text, '', 'DogStatsD: a rewriting rule.', notRewritten),
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
