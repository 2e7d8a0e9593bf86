import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';
import type { Settings } from './settings.ts';

/** Memory that is asked for, so that its warning is not in the way. */
const memory = { BACKEND_TYPE: 'memory' };

function settingsOf(env: Environment): Settings {
  const result = readSettings(env);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.settings;
}

function messages(env: Environment, kind: 'errors' | 'warnings'): string[] {
  const result = readSettings(env);
  const issues = kind === 'warnings' ? result.warnings : 'errors' in result ? result.errors : [];
  return issues.map(({ message }) => message);
}

describe('readSettings', () => {
  it('is complete with nothing set', () => {
    expect(settingsOf({})).toMatchObject({
      http: { host: '0.0.0.0', port: 8080, limits: { maxBodyBytes: 4_194_304, maxConnections: 1_024 } },
      grpc: {
        listen: { kind: 'tcp', host: '0.0.0.0', port: 8081 },
        maxConnectionAgeMs: 300_000,
        maxConnectionAgeGraceMs: 30_000,
        transport: 'native',
        limits: { maxMessageBytes: 4_194_304, maxConcurrentStreams: 1_024 },
        tls: undefined,
      },
      debug: { host: '127.0.0.1', port: 6070 },
      metrics: {
        listener: undefined,
        responseTimeUnit: 'seconds',
        maxSeries: 10_000,
        maxValuesPerRule: 1_000,
      },
      log: { level: 'info', format: 'json' },
      config: {
        xds: undefined,
        root: '/srv/runtime_data/current',
        directory: '/srv/runtime_data/current/config',
        ignoreDotFiles: true,
        mergeDomains: false,
      },
      store: { kind: 'memory', explicit: false, maxCounters: 500_000 },
      limiter: {
        keyPrefix: '',
        storeTimeoutMs: 250,
        countDenied: true,
        denyCache: { maxBytes: 4_194_304, lookAgainMs: 500 },
        nearLimitRatio: Math.fround(0.8),
        shadowMode: false,
        quotaMode: false,
        dynamicMetadata: false,
        responseHeaders: undefined,
        denialBody: undefined,
        bounds: { maxDescriptors: 1_024, maxEntries: 256 },
      },
      health: { needsDomain: false, startsWithoutConfig: false, needsConnection: false, storeWaitMs: 10_000 },
      drain: { delayMs: 10_000, timeoutMs: 25_000 },
    });
  });

  it('is frozen to the bottom', () => {
    const settings = settingsOf({ REDIS_URL: 'redis:6379', REDIS_AUTH: 'a:b' });
    const thaw = () => {
      (settings.limiter.bounds as { maxEntries: number }).maxEntries = 1;
    };
    expect(thaw).toThrow(TypeError);
    const walk = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(walk));
    expect(walk(settings)).toBe(true);
  });

  it('counts an empty variable as not set, also one that is refused', () => {
    const names = [
      'PORT',
      'REDIS_URL',
      'COUNT_DENIED',
      'USE_STATSD',
      'REDIS_POOL_SIZE',
      'MEMCACHE_HOST_PORT',
    ];
    expect(readSettings(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readSettings({}));
  });

  it('reports everything that is wrong, each variable once', () => {
    const env = {
      PORT: 'x',
      GRPC_SERVER_USE_TLS: 'yes',
      STORE_TIMEOUT: '0',
      BACKEND_TYPE: 'memcache',
      REDIS_URL: 'redis:6379',
      COUNT_DENIED: 'maybe',
      STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: 'true',
      DRAIN_DELAY: '30s',
      PROMETHEUS_ADDR: '9090',
      USE_PROMETHEUS: 'true',
    };
    expect(messages(env, 'errors')).toEqual([
      expect.stringMatching(/^PORT must be a whole number from 0 to 65535, not "x"\.$/),
      expect.stringMatching(/^GRPC_SERVER_USE_TLS must be true or false .*, not "yes"\.$/),
      expect.stringMatching(/^BACKEND_TYPE: counts are not kept in memcached/),
      expect.stringMatching(/^STORE_TIMEOUT must be a duration above 0, not "0"\.$/),
      expect.stringMatching(/^COUNT_DENIED must be true or false/),
      expect.stringMatching(/^PROMETHEUS_ADDR must be an address such as :9090/),
      expect.stringMatching(/^DRAIN_DELAY does not fit/),
    ]);
    expect(readSettings(env)).not.toHaveProperty('settings');
  });

  it('does not speak of variables that belong to others', () => {
    const env = {
      ...memory,
      PATH: '/usr/bin',
      HOME: '/root',
      HOSTNAME: 'weir-0',
      NODE_ENV: 'production',
      KUBERNETES_SERVICE_HOST: '10.96.0.1',
      REDIS_PORT: 'tcp://10.0.0.1:6379',
      REDIS_SERVICE_HOST: '10.0.0.1',
      WEIR_PORT_8081_TCP_ADDR: '10.0.0.2',
    };
    expect(readSettings(env)).toEqual(readSettings(memory));
  });

  it('points at a slip in a name', () => {
    expect(messages({ ...memory, RUNTIME_IGNOREDOTFILE: 'true' }, 'warnings')).toEqual([
      'RUNTIME_IGNOREDOTFILE is not known and has no effect. Did you mean RUNTIME_IGNOREDOTFILES?',
    ]);
  });
});

describe('deployments that exist', () => {
  it("Istio's sample starts", () => {
    const env = {
      LOG_LEVEL: 'debug',
      REDIS_SOCKET_TYPE: 'tcp',
      REDIS_URL: 'redis:6379',
      USE_STATSD: 'false',
      RUNTIME_ROOT: '/data',
      RUNTIME_SUBDIRECTORY: 'ratelimit',
      RUNTIME_WATCH_ROOT: 'false',
      RUNTIME_IGNOREDOTFILES: 'true',
      HOST: '::',
      GRPC_HOST: '::',
    };
    expect(settingsOf(env)).toMatchObject({
      log: { level: 'debug' },
      http: { host: '::' },
      grpc: { listen: { kind: 'tcp', host: '::', port: 8081 } },
      config: { root: '/data', directory: '/data/ratelimit/config' },
      store: {
        kind: 'redis',
        connection: { type: 'single', socketType: 'tcp', tls: { enabled: false } },
      },
    });
    expect(messages(env, 'warnings')).toEqual([expect.stringMatching(/^RUNTIME_WATCH_ROOT has no effect/)]);
  });

  const envoyGateway = {
    RUNTIME_ROOT: '/data',
    RUNTIME_SUBDIRECTORY: 'ratelimit',
    RUNTIME_IGNOREDOTFILES: 'true',
    RUNTIME_WATCH_ROOT: 'false',
    LOG_LEVEL: 'info',
    USE_STATSD: 'false',
    CONFIG_GRPC_XDS_SERVER_URL: 'envoy-gateway:18001',
    CONFIG_GRPC_XDS_NODE_ID: 'envoy-ratelimit',
    GRPC_SERVER_USE_TLS: 'true',
    GRPC_SERVER_TLS_CERT: '/certs/tls.crt',
    GRPC_SERVER_TLS_KEY: '/certs/tls.key',
    GRPC_SERVER_TLS_CA_CERT: '/certs/ca.crt',
    CONFIG_GRPC_XDS_SERVER_USE_TLS: 'true',
    CONFIG_GRPC_XDS_CLIENT_TLS_CERT: '/certs/tls.crt',
    CONFIG_GRPC_XDS_CLIENT_TLS_KEY: '/certs/tls.key',
    CONFIG_GRPC_XDS_SERVER_TLS_CACERT: '/certs/ca.crt',
    FORCE_START_WITHOUT_INITIAL_CONFIG: 'true',
    REDIS_SOCKET_TYPE: 'tcp',
    REDIS_URL: 'redis.redis-system:6379',
    REDIS_TLS: 'true',
    REDIS_TLS_CLIENT_CERT: '/redis-certs/tls.crt',
    REDIS_TLS_CLIENT_KEY: '/redis-certs/tls.key',
    USE_PROMETHEUS: 'true',
    PROMETHEUS_ADDR: ':19001',
    PROMETHEUS_MAPPER_YAML: '/etc/statsd-exporter/conf.yaml',
    TRACING_SERVICE_NAME: 'envoy-ratelimit',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
  };

  it("Envoy Gateway's variables start with CONFIG_TYPE=FILE", () => {
    expect(settingsOf({ ...envoyGateway, CONFIG_TYPE: 'FILE' })).toMatchObject({
      grpc: {
        tls: {
          certFile: '/certs/tls.crt',
          keyFile: '/certs/tls.key',
          clientCaFile: undefined,
          clientSan: undefined,
        },
      },
      metrics: { listener: { host: '', port: 19_001, path: '/metrics' } },
      store: {
        kind: 'redis',
        connection: {
          tls: {
            enabled: true,
            caFile: undefined,
            certFile: '/redis-certs/tls.crt',
            keyFile: '/redis-certs/tls.key',
            verifyHostname: true,
          },
        },
      },
      health: { startsWithoutConfig: true },
    });
  });

  it('and with xDS, as Envoy Gateway sets it', () => {
    const env = { ...envoyGateway, CONFIG_TYPE: 'GRPC_XDS_SOTW' };
    expect(settingsOf(env)).toMatchObject({
      config: {
        xds: {
          address: 'envoy-gateway:18001',
          nodeId: 'envoy-ratelimit',
          nodeMetadata: [],
          headers: [],
          tls: {
            caFile: '/certs/ca.crt',
            certFile: '/certs/tls.crt',
            keyFile: '/certs/tls.key',
            serverName: undefined,
          },
        },
      },
      health: { startsWithoutConfig: true },
    });
    expect(messages(env, 'warnings')).toEqual(
      messages({ ...envoyGateway, CONFIG_TYPE: 'FILE' }, 'warnings').filter(
        (message) => !/XDS/.test(message),
      ),
    );
  });
});

describe('inForce', () => {
  it('shows what is in force, by variable, in words that can be set', () => {
    const env = {
      REDIS_URL: 'redis:6379',
      STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: 'true',
      LIMIT_RESPONSE_HEADERS_ENABLED: 'true',
      LIMIT_RESPONSE_HEADERS_STYLE: 'x-ratelimit',
      GRPC_UDS: '/run/weir.sock',
    };
    const shown = settingsOf(env).inForce;
    expect(shown).toMatchObject({
      BACKEND_TYPE: 'redis',
      REDIS_URL: 'redis:6379',
      COUNT_DENIED: 'false',
      LIMIT_LIMIT_HEADER: 'X-RateLimit-Limit',
      GRPC_UDS: '/run/weir.sock',
      GRPC_MAX_CONNECTION_AGE: '5m',
      NEAR_LIMIT_RATIO: '0.8',
    });
    const notInForce = [
      'GRPC_PORT',
      'LOCAL_CACHE_SIZE_IN_BYTES',
      'REDIS_PERSECOND_URL',
      'REDIS_AUTH',
      'PROMETHEUS_ADDR',
    ];
    for (const name of [...notInForce, 'MEMORY_STORE_MAX_COUNTERS', 'REDIS_POOL_SIZE']) {
      expect(shown).not.toHaveProperty(name);
    }
  });

  it.each([{}, memory, { REDIS_URL: 'redis:6379' }])(
    'with %j, starting with what is shown gives the same',
    (env) => {
      const settings = settingsOf(env);
      const again = settingsOf(settings.inForce);
      expect(again.inForce).toEqual(settings.inForce);
    },
  );
});
