import { describe, expect, it } from 'vitest';
import { parseGoDuration } from './go-duration.ts';
import { readSettings } from './read-settings.ts';
import type { Variable } from './variable.ts';
import {
  ownVariables,
  patternOf,
  referenceVariables,
  type VariableName,
  variableNames,
  variableOf,
} from './variables.ts';

/** Every variable of the reference's settings.go (114, at commit f2fb157) with its default. */
const settingsGo = `
HOST 0.0.0.0
PORT 8080
DEBUG_HOST 0.0.0.0
DEBUG_PORT 6070
GRPC_UDS
GRPC_HOST 0.0.0.0
GRPC_PORT 8081
GRPC_MAX_CONNECTION_AGE 24h
GRPC_MAX_CONNECTION_AGE_GRACE 1h
GRPC_SERVER_USE_TLS false
GRPC_SERVER_TLS_CERT
GRPC_SERVER_TLS_KEY
GRPC_CLIENT_TLS_CACERT
GRPC_CLIENT_TLS_SAN
LOG_LEVEL WARN
LOG_FORMAT text
CONFIG_TYPE FILE
FORCE_START_WITHOUT_INITIAL_CONFIG false
CONFIG_GRPC_XDS_NODE_ID default
CONFIG_GRPC_XDS_NODE_METADATA
CONFIG_GRPC_XDS_SERVER_URL localhost:18000
CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL 3s
CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS
CONFIG_GRPC_XDS_SERVER_USE_TLS false
CONFIG_GRPC_XDS_CLIENT_TLS_CERT
CONFIG_GRPC_XDS_CLIENT_TLS_KEY
CONFIG_GRPC_XDS_SERVER_TLS_CACERT
CONFIG_GRPC_XDS_SERVER_TLS_SAN
XDS_CLIENT_BACKOFF_INITIAL_INTERVAL 10s
XDS_CLIENT_BACKOFF_MAX_INTERVAL 60s
XDS_CLIENT_BACKOFF_RANDOM_FACTOR 0.5
XDS_CLIENT_BACKOFF_JITTER true
XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES
USE_DOG_STATSD false
USE_DOG_STATSD_MOGRIFIERS
USE_STATSD true
STATSD_HOST localhost
STATSD_PORT 8125
EXTRA_TAGS
STATS_FLUSH_INTERVAL 10s
DISABLE_STATS false
USE_PROMETHEUS false
PROMETHEUS_ADDR :9090
PROMETHEUS_PATH /metrics
PROMETHEUS_MAPPER_YAML
PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS false
RUNTIME_ROOT /srv/runtime_data/current
RUNTIME_SUBDIRECTORY
RUNTIME_APPDIRECTORY config
RUNTIME_IGNOREDOTFILES false
RUNTIME_WATCH_ROOT true
EXPIRATION_JITTER_MAX_SECONDS 300
LOCAL_CACHE_SIZE_IN_BYTES 0
NEAR_LIMIT_RATIO 0.8
CACHE_KEY_PREFIX
BACKEND_TYPE redis
STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT false
LIMIT_RESPONSE_HEADERS_ENABLED false
LIMIT_LIMIT_HEADER RateLimit-Limit
LIMIT_REMAINING_HEADER RateLimit-Remaining
LIMIT_RESET_HEADER RateLimit-Reset
HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED false
REDIS_SOCKET_TYPE unix
REDIS_TYPE SINGLE
REDIS_URL /var/run/nutcracker/ratelimit.sock
REDIS_POOL_SIZE 10
REDIS_AUTH
REDIS_TLS false
REDIS_TLS_CLIENT_CERT
REDIS_TLS_CLIENT_KEY
REDIS_TLS_CACERT
REDIS_TLS_SKIP_HOSTNAME_VERIFICATION false
REDIS_PIPELINE_WINDOW 0
REDIS_PIPELINE_LIMIT 0
REDIS_CLUSTER_PIPELINE_PARALLELISM 1
REDIS_PERSECOND false
REDIS_PERSECOND_SOCKET_TYPE unix
REDIS_PERSECOND_TYPE SINGLE
REDIS_PERSECOND_URL /var/run/nutcracker/ratelimitpersecond.sock
REDIS_PERSECOND_POOL_SIZE 10
REDIS_PERSECOND_AUTH
REDIS_PERSECOND_TLS false
REDIS_SENTINEL_AUTH
REDIS_PERSECOND_SENTINEL_AUTH
REDIS_PERSECOND_PIPELINE_WINDOW 0
REDIS_PERSECOND_PIPELINE_LIMIT 0
REDIS_PERSECOND_CLUSTER_PIPELINE_PARALLELISM 1
REDIS_HEALTH_CHECK_ACTIVE_CONNECTION false
REDIS_TIMEOUT 10s
REDIS_PERSECOND_TIMEOUT 10s
REDIS_POOL_ON_EMPTY_BEHAVIOR WAIT
REDIS_PERSECOND_POOL_ON_EMPTY_BEHAVIOR WAIT
REDIS_STARTUP_INITIAL_INTERVAL 1s
REDIS_STARTUP_MAX_INTERVAL 30s
REDIS_STARTUP_MAX_ELAPSED_TIME 0
MEMCACHE_HOST_PORT
MEMCACHE_MAX_IDLE_CONNS 2
MEMCACHE_SRV
MEMCACHE_SRV_REFRESH 0
MEMCACHE_TLS false
MEMCACHE_TLS_CLIENT_CERT
MEMCACHE_TLS_CLIENT_KEY
MEMCACHE_TLS_CACERT
MEMCACHE_TLS_SKIP_HOSTNAME_VERIFICATION false
SHADOW_MODE false
QUOTA_MODE false
RESPONSE_DYNAMIC_METADATA false
MERGE_DOMAIN_CONFIG false
TRACING_ENABLED false
TRACING_SERVICE_NAME RateLimit
TRACING_SERVICE_NAMESPACE
TRACING_SERVICE_INSTANCE_ID
TRACING_EXPORTER_PROTOCOL http
TRACING_SAMPLING_RATE 1
`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [name: VariableName, initial?: string]);

/** What its libraries read, what only its README names, and what Envoy Gateway sets. */
const outsideSettingsGo = [
  'STATSD_PROTOCOL',
  'GOSTATS_LOGGING_SINK_DISABLED',
  'GOSTATS_FLUSH_INTERVAL_SECONDS',
  'REDIS_POOL_ON_EMPTY_WAIT_DURATION',
  'REDIS_PERSECOND_POOL_ON_EMPTY_WAIT_DURATION',
  'GRPC_SERVER_TLS_CA_CERT',
  ...[
    'ENDPOINT',
    'HEADERS',
    'TIMEOUT',
    'COMPRESSION',
    'INSECURE',
    'CERTIFICATE',
    'CLIENT_CERTIFICATE',
    'CLIENT_KEY',
  ].flatMap((name) => [`OTEL_EXPORTER_OTLP_${name}`, `OTEL_EXPORTER_OTLP_TRACES_${name}`]),
];

/** Defaults that differ, and why. */
const otherDefaults: Readonly<Record<string, readonly [initial: string, why: string]>> = {
  DEBUG_HOST: ['127.0.0.1', 'the debug listener asks for no password'],
  GRPC_MAX_CONNECTION_AGE: ['5m', 'a new replica gets its share of the traffic'],
  GRPC_MAX_CONNECTION_AGE_GRACE: ['30s', 'a call takes milliseconds'],
  LOG_LEVEL: ['info', 'what the service was started with should be in the log'],
  LOG_FORMAT: ['json', 'logs are mostly read by machines'],
  USE_STATSD: ['false', 'nothing is sent anywhere unless asked for'],
  RUNTIME_IGNOREDOTFILES: ['true', 'a mounted ConfigMap holds its files twice'],
  LOCAL_CACHE_SIZE_IN_BYTES: ['4194304', 'it takes load off Redis'],
  XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES: ['67108864', "gRPC's own limit is below what large installations send"],
  BACKEND_TYPE: ['memory', 'it starts without a Redis; REDIS_URL alone makes it redis'],
};

/** The same value may be written in several ways: 60s is 1m, and an empty number is 0. */
function canonical(variable: Variable<unknown>, text: string): string {
  if (text === '') return variable.type.name === 'int' ? '0' : '';
  const duration = variable.type.name === 'duration' ? parseGoDuration(text) : undefined;
  const value = duration?.ok === true ? duration : variable.type.parse(text);
  return value.ok ? variable.type.format(value.value) : `unreadable: ${text}`;
}

describe("the reference's variables", () => {
  it('are 114, each once', () => {
    expect(new Set(settingsGo.map(([name]) => name)).size).toBe(114);
  });

  it.each(settingsGo)(
    '%s is known, with the default %s or a difference that is written down',
    (name, initial = '') => {
      expect(referenceVariables).toHaveProperty(name);
      const variable = variableOf(name);
      const expected = otherDefaults[name]?.[0] ?? initial;
      expect(variable.type.format(variable.default)).toBe(canonical(variable, expected));
      if (name in otherDefaults) {
        expect(canonical(variable, initial)).not.toBe(canonical(variable, expected));
        expect(variable.reason).not.toBe('');
      }
    },
  );

  it('and those beside settings.go are all there are', () => {
    const expected = [...settingsGo.map(([name]) => name), ...outsideSettingsGo];
    expect(Object.keys(referenceVariables).sort()).toEqual(expected.sort());
  });

  it.each([
    'DOG_STATSD_MOGRIFIER_TAG_PATTERN',
    'DOG_STATSD_MOGRIFIER_TAG_NAME',
    'DOG_STATSD_MOGRIFIER_TAG_TAGS',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
  ])('%s is known by its pattern, and without effect', (name) => {
    expect(patternOf(name)?.class).toBe('without effect');
    const { warnings } = readSettings({ [name]: 'authorization=s3cret' });
    expect(warnings).toContainEqual({
      variable: name,
      message: expect.stringMatching(/ has no effect: [^=]+\.$/),
    });
  });
});

describe('every variable', () => {
  const names = (kind: string) => variableNames.filter((name) => variableOf(name).class === kind);

  it.each(variableNames)('%s has a meaning, and a reason where it is not simply honoured', (name) => {
    const { meaning, reason, class: kind } = variableOf(name);
    expect(meaning).toMatch(/\.$/);
    if (kind !== 'honoured' || name in ownVariables) expect(reason).not.toBe('');
  });

  it.each(names('without effect'))(
    '%s does not hold up the start and is warned about, only when set',
    (name) => {
      expect(readSettings({ [name]: '' })).toEqual(readSettings({}));
      const result = readSettings({ [name]: 'whatever\n' });
      expect(result).toHaveProperty('settings');
      expect(result.warnings).toContainEqual({
        variable: name,
        message: expect.stringContaining(`${name} has no effect: ${variableOf(name).reason}.`),
      });
    },
  );

  it.each([
    ['USE_DOG_STATSD_MOGRIFIERS', 'TAG', 'Remove USE_DOG_STATSD_MOGRIFIERS'],
    ['BACKEND_TYPE', 'memcache', 'Set REDIS_URL'],
    ['MEMCACHE_HOST_PORT', 'memcached:11211', 'remove MEMCACHE_HOST_PORT'],
    ['MEMCACHE_SRV', '_memcache._tcp.mc', 'remove MEMCACHE_SRV'],
  ])('%s=%s ends the start and says what to do', (name, value, advice) => {
    const result = readSettings({ [name]: value });
    expect(result).toHaveProperty('errors', [{ variable: name, message: expect.stringContaining(advice) }]);
    expect(result).not.toHaveProperty('settings');
  });

  it('of the class refused is one of these', () => {
    expect(names('refused').sort()).toEqual([
      'MEMCACHE_HOST_PORT',
      'MEMCACHE_SRV',
      'USE_DOG_STATSD_MOGRIFIERS',
    ]);
  });

  it.each([
    ['USE_STATSD', 'false'],
    ['USE_DOG_STATSD', 'false'],
    ['TRACING_ENABLED', 'false'],
  ])('%s=%s is what Weir does, and not worth a word', (name, value) => {
    expect(readSettings({ [name]: value })).toEqual(readSettings({}));
  });
});
