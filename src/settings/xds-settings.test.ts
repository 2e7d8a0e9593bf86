import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';
import type { XdsSettings } from './settings.ts';

const xds = { BACKEND_TYPE: 'memory', CONFIG_TYPE: 'GRPC_XDS_SOTW' };

function read(env: Environment) {
  const result = readSettings({ ...xds, ...env });
  return {
    settings: 'settings' in result ? (result.settings.config.xds as XdsSettings) : undefined,
    inForce: 'settings' in result ? result.settings.inForce : {},
    errors: 'errors' in result ? result.errors.map(({ message }) => message) : [],
    warnings: result.warnings.map(({ message }) => message),
  };
}

describe('rules from a control plane', () => {
  it('have defaults', () => {
    expect(read({})).toMatchObject({
      settings: {
        address: 'localhost:18000',
        nodeId: 'default',
        nodeMetadata: [],
        headers: [],
        tls: undefined,
        backoff: { connectRetryMs: 3_000, initialMs: 10_000, maxMs: 60_000, jitter: 0.5 },
        maxMessageBytes: 67_108_864,
      },
      errors: [],
      warnings: [],
    });
  });

  it('have all that the reference can be told', () => {
    const env = {
      CONFIG_GRPC_XDS_NODE_ID: 'envoy-ratelimit',
      CONFIG_GRPC_XDS_NODE_METADATA: 'zone=a,expression=x=y',
      CONFIG_GRPC_XDS_SERVER_URL: 'dns:///xds.test:18001',
      CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL: '500ms',
      CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: 'Authorization:let me in,x-tenant:7',
      XDS_CLIENT_BACKOFF_INITIAL_INTERVAL: '1s',
      XDS_CLIENT_BACKOFF_MAX_INTERVAL: '1m',
      XDS_CLIENT_BACKOFF_RANDOM_FACTOR: '0.2',
      XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES: '1000',
    };
    const { settings, inForce, errors } = read(env);
    expect(errors).toEqual([]);
    expect(settings).toMatchObject({
      address: 'dns:///xds.test:18001',
      nodeId: 'envoy-ratelimit',
      nodeMetadata: [
        ['zone', 'a'],
        ['expression', 'x=y'],
      ],
      backoff: { connectRetryMs: 500, initialMs: 1_000, maxMs: 60_000, jitter: 0.2 },
      maxMessageBytes: 1_000,
    });
    expect(settings?.headers.map(([name, value]) => [name, value.reveal()])).toEqual([
      ['authorization', 'let me in'],
      ['x-tenant', '7'],
    ]);
    expect(inForce).toMatchObject({
      ...env,
      CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: 'Authorization:***,x-tenant:***',
    });
  });

  it('do not speak of the directory of files, which Envoy Gateway sets all the same', () => {
    const { inForce, warnings } = read({ RUNTIME_ROOT: '/data', RUNTIME_IGNOREDOTFILES: 'true' });
    expect(warnings).toEqual([]);
    expect(Object.keys(inForce).filter((name) => name.startsWith('RUNTIME_'))).toEqual([]);
  });

  it.each([
    [{ CONFIG_GRPC_XDS_NODE_METADATA: 'zone' }, /NODE_METADATA must be pairs such as name1=value1/],
    [{ CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: 'a b:c' }, /must have header names/],
    [{ CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: 'a:\u00e9' }, /values in printable ASCII/],
    [{ XDS_CLIENT_BACKOFF_RANDOM_FACTOR: '-1' }, /cannot be below 0/],
    [{ XDS_CLIENT_BACKOFF_INITIAL_INTERVAL: '0s' }, /above 0/],
    [
      { CONFIG_GRPC_XDS_SERVER_USE_TLS: 'true', CONFIG_GRPC_XDS_CLIENT_TLS_KEY: '/k' },
      /CLIENT_TLS_CERT must be set/,
    ],
  ])('%o ends the start', (env, message) => {
    expect(read(env).errors).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    [{ XDS_CLIENT_BACKOFF_RANDOM_FACTOR: '2' }, /counts as 1/, 1],
    [{ XDS_CLIENT_BACKOFF_RANDOM_FACTOR: '0.5', XDS_CLIENT_BACKOFF_JITTER: 'false' }, /JITTER is false/, 0],
  ])('%o is warned about', (env, message, jitter) => {
    const { settings, warnings } = read(env);
    expect(warnings).toEqual([expect.stringMatching(message)]);
    expect(settings?.backoff.jitter).toBe(jitter);
  });

  it('warn of certificates that nobody looks at', () => {
    expect(read({ CONFIG_GRPC_XDS_SERVER_TLS_CACERT: '/ca.crt' }).warnings).toEqual([
      expect.stringMatching(/CACERT has no effect: .*come without TLS/),
    ]);
  });
});

it('rules from files warn of what is set for a control plane', () => {
  const { warnings } = readSettings({ BACKEND_TYPE: 'memory', CONFIG_GRPC_XDS_NODE_ID: 'a' });
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^CONFIG_GRPC_XDS_NODE_ID has no effect: CONFIG_TYPE does not name GRPC_XDS_SOTW/),
  ]);
});
