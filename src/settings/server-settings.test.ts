import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Settings } from './settings.ts';

type Env = Readonly<Record<string, string>>;

const memory = { BACKEND_TYPE: 'memory' };
const tls = { GRPC_SERVER_USE_TLS: 'true', GRPC_SERVER_TLS_CERT: '/c.pem', GRPC_SERVER_TLS_KEY: '/k.pem' };

function settingsOf(env: Env): Settings {
  const result = readSettings({ ...memory, ...env });
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.settings;
}

describe('listeners', () => {
  it.each<[Env, object]>([
    [{ HOST: '::', PORT: '0' }, { http: { host: '::', port: 0 } }],
    [{ HOST: '[::1]' }, { http: { host: '::1' } }],
    [{ GRPC_HOST: '::', GRPC_PORT: '0' }, { grpc: { listen: { kind: 'tcp', host: '::', port: 0 } } }],
    [{ GRPC_UDS: '/run/weir.sock' }, { grpc: { listen: { kind: 'unix', path: '/run/weir.sock' } } }],
    [{ DEBUG_HOST: '127.0.0.2', DEBUG_PORT: '1' }, { debug: { host: '127.0.0.2', port: 1 } }],
    [{ HTTP_MAX_CONNECTIONS: '7' }, { http: { limits: { maxConnections: 7 } } }],
    [
      { MAX_MESSAGE_SIZE: '1000' },
      { http: { limits: { maxBodyBytes: 1_000 } }, grpc: { limits: { maxMessageBytes: 1_000 } } },
    ],
    [{ GRPC_TRANSPORT: 'grpc-js' }, { grpc: { transport: 'grpc-js' } }],
    [
      { GRPC_MAX_CONCURRENT_STREAMS: '7', GRPC_WRITE_BUFFER: '65536', GRPC_STALL_TIMEOUT: '3s' },
      { grpc: { limits: { maxConcurrentStreams: 7, maxUnsentBytes: 65_536, stallTimeoutMs: 3_000 } } },
    ],
    [
      { GRPC_MAX_CONNECTION_AGE: '0', GRPC_MAX_CONNECTION_AGE_GRACE: '1h' },
      { grpc: { maxConnectionAgeMs: 0, maxConnectionAgeGraceMs: 3_600_000 } },
    ],
    [
      { GRPC_MAX_CONNECTION_AGE: '8760h', GRPC_MAX_CONNECTION_AGE_GRACE: '480h' },
      { grpc: { maxConnectionAgeMs: 0, maxConnectionAgeGraceMs: 0 } },
    ],
    [{ PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS: 'true' }, { metrics: { responseTimeUnit: 'milliseconds' } }],
    [{ USE_PROMETHEUS: 'true' }, { metrics: { listener: { host: '', port: 9_090, path: '/metrics' } } }],
    [
      { USE_PROMETHEUS: 'true', PROMETHEUS_ADDR: '[::1]:19001', PROMETHEUS_PATH: '/stats' },
      { metrics: { listener: { host: '::1', port: 19_001, path: '/stats' } } },
    ],
    [
      tls,
      {
        grpc: {
          tls: { certFile: '/c.pem', keyFile: '/k.pem', clientCaFile: undefined, clientSan: undefined },
        },
      },
    ],
    [
      { ...tls, GRPC_CLIENT_TLS_CACERT: '/ca.pem', GRPC_CLIENT_TLS_SAN: 'envoy.local' },
      { grpc: { tls: { clientCaFile: '/ca.pem', clientSan: 'envoy.local' } } },
    ],
    [{ LOG_LEVEL: 'WARNING', LOG_FORMAT: 'TEXT' }, { log: { level: 'warn', format: 'text' } }],
    [{ LOG_LEVEL: 'panic' }, { log: { level: 'fatal' } }],
    [{ DRAIN_DELAY: '0', DRAIN_DEADLINE: '280s' }, { drain: { delayMs: 0, timeoutMs: 280_000 } }],
    [
      { RUNTIME_ROOT: '/a/', RUNTIME_SUBDIRECTORY: 'b', RUNTIME_APPDIRECTORY: 'c' },
      { config: { root: '/a/', directory: '/a/b/c' } },
    ],
  ])('%j', (env, expected) => {
    expect(settingsOf(env)).toMatchObject(expected);
    expect(readSettings({ ...memory, ...env }).warnings).toEqual([]);
  });

  it.each<[Env, string]>([
    [{ GRPC_SERVER_USE_TLS: 'true', GRPC_SERVER_TLS_CERT: '/c.pem' }, 'GRPC_SERVER_TLS_KEY must name a file'],
    [{ GRPC_SERVER_USE_TLS: 'true', GRPC_SERVER_TLS_KEY: '/k.pem' }, 'GRPC_SERVER_TLS_CERT must name a file'],
    [{ USE_PROMETHEUS: 'true', PROMETHEUS_ADDR: ':http' }, 'PROMETHEUS_ADDR must be an address'],
    [{ USE_PROMETHEUS: 'true', PROMETHEUS_PATH: 'metrics' }, 'PROMETHEUS_PATH must be a path'],
    [{ DRAIN_DELAY: '25s' }, 'DRAIN_DELAY does not fit'],
    [{ DRAIN_DEADLINE: '5s' }, 'DRAIN_DEADLINE does not fit'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug'],
    [{ CONFIG_TYPE: 'ZOOKEEPER' }, 'CONFIG_TYPE must be one or more of FILE, GRPC_XDS_SOTW, HTTP'],
    [{ GRPC_PORT: 'tcp://10.0.0.7:8081' }, 'set enableServiceLinks: false'],
  ])('%j is refused', (env, message) => {
    expect(readSettings({ ...memory, ...env })).toHaveProperty('errors', [
      { variable: expect.any(String), message: expect.stringContaining(message) },
    ]);
  });

  it.each<[Env, string[]]>([
    [{ GRPC_UDS: '/s', GRPC_PORT: '1' }, ['GRPC_PORT']],
    [{ PROMETHEUS_ADDR: ':1' }, ['PROMETHEUS_ADDR']],
    [{ GRPC_CLIENT_TLS_CACERT: '/ca.pem' }, ['GRPC_CLIENT_TLS_CACERT']],
    [{ ...tls, GRPC_CLIENT_TLS_SAN: 'envoy.local' }, ['GRPC_CLIENT_TLS_SAN']],
  ])('with %j, %j are set in vain', (env, names) => {
    expect(readSettings({ ...memory, ...env }).warnings.map(({ variable }) => variable)).toEqual(names);
  });
  it.each<[Env, string[]]>([
    [{ MAX_MESSAGE_SIZE: '5242875' }, []],
    [{ MAX_MESSAGE_SIZE: '5242876' }, ['MAX_MESSAGE_SIZE']],
    [{ MAX_MESSAGE_SIZE: '5242876', GRPC_CONNECTION_WINDOW: '7000000' }, []],
    [{ MAX_MESSAGE_SIZE: '5242876', GRPC_TRANSPORT: 'grpc-js' }, []],
  ])('with %j, messages that can not come are warned of: %j', (env, names) => {
    expect(readSettings({ ...memory, ...env }).warnings.map(({ variable }) => variable)).toEqual(names);
  });
});
