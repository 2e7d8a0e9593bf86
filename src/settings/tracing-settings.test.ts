import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';
import type { TracingSettings } from './telemetry-settings.ts';

const read = (env: Environment) => readSettings({ BACKEND_TYPE: 'memory', ...env });

function tracingOf(env: Environment): TracingSettings | undefined {
  const result = read({ TRACING_ENABLED: 'true', ...env });
  if (!('settings' in result)) throw new Error(JSON.stringify(result.errors));
  return result.settings.tracing;
}

const base = 'OTEL_EXPORTER_OTLP_';

describe('traces', () => {
  it('there are none unless asked for, and what is set for them is told of', () => {
    const result = read({ TRACING_SAMPLING_RATE: '0.5', [`${base}ENDPOINT`]: 'http://otel:4318' });
    expect(result).toHaveProperty('settings.tracing', undefined);
    expect(result.warnings.map(({ variable }) => variable)).toEqual([
      'TRACING_SAMPLING_RATE',
      `${base}ENDPOINT`,
    ]);
  });

  it('have the defaults of the reference and of OpenTelemetry', () => {
    const { exporter, ...others } = tracingOf({}) as TracingSettings;
    expect(others).toEqual({
      serviceName: 'RateLimit',
      serviceNamespace: undefined,
      serviceInstanceId: undefined,
      samplingRatio: 1,
    });
    expect(exporter).toMatchObject({ protocol: 'http', headers: [], timeoutMs: 10_000, compression: 'none' });
    expect(exporter.tls).toEqual({ ca: undefined, cert: undefined, key: undefined });
  });

  it.each([
    ['http', {}, 'http://localhost:4318/v1/traces'],
    ['http', { ENDPOINT: 'http://otel:4318' }, 'http://otel:4318/v1/traces'],
    ['http', { ENDPOINT: 'https://otel/ingest/' }, 'https://otel/ingest/v1/traces'],
    ['http', { TRACES_ENDPOINT: 'http://otel/spans' }, 'http://otel/spans'],
    ['http', { ENDPOINT: 'http://a:1', TRACES_ENDPOINT: 'http://b:2/x' }, 'http://b:2/x'],
    ['grpc', {}, 'http://localhost:4317'],
    ['grpc', { ENDPOINT: 'http://otel:4317' }, 'http://otel:4317'],
    ['grpc', { ENDPOINT: 'otel:4317' }, 'https://otel:4317'],
    ['grpc', { ENDPOINT: 'otel:4317', INSECURE: 'true' }, 'http://otel:4317'],
    ['grpc', { ENDPOINT: 'otel:4317', INSECURE: 'true', TRACES_INSECURE: 'false' }, 'https://otel:4317'],
  ])('by %s with %j go to %s', (protocol, variables, url) => {
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [`${base}${name}`, value]),
    );
    expect(tracingOf({ TRACING_EXPORTER_PROTOCOL: protocol, ...env })?.exporter.url.reveal()).toBe(url);
  });

  it('bring headers, of which those for traces count first', () => {
    const headers = tracingOf({
      [`${base}HEADERS`]: 'Authorization=Bearer%20abc, x-tenant = a',
      [`${base}TRACES_HEADERS`]: 'x-tenant=b',
    })?.exporter.headers.map(({ name, value }) => [name, value.reveal()]);
    expect(headers).toEqual([
      ['authorization', 'Bearer abc'],
      ['x-tenant', 'b'],
    ]);
  });

  it.each([
    ['0.25', 0.25],
    ['0', 0],
    ['-1', 0],
    ['7', 1],
  ])('a sampling rate of %s is %d', (rate, ratio) => {
    expect(tracingOf({ TRACING_SAMPLING_RATE: rate })?.samplingRatio).toBe(ratio);
  });

  it.each<[Environment, string]>([
    [{ [`${base}ENDPOINT`]: 'otel' }, `${base}ENDPOINT must be a URL such as http://collector:4318.`],
    [{ [`${base}TRACES_ENDPOINT`]: 'ftp://otel' }, `${base}TRACES_ENDPOINT must be a URL`],
    [{ [`${base}HEADERS`]: 'abc' }, `${base}HEADERS must be pairs such as`],
    [{ [`${base}HEADERS`]: 'a b=c' }, `${base}HEADERS must be pairs such as`],
    [{ [`${base}HEADERS`]: 'a=%0d%0ab' }, `${base}HEADERS must be pairs such as`],
    [{ [`${base}CLIENT_CERTIFICATE`]: '/c' }, `${base}CLIENT_KEY must be set`],
    [{ [`${base}TIMEOUT`]: '10s' }, `${base}TIMEOUT must be a whole number`],
    [{ TRACING_EXPORTER_PROTOCOL: 'thrift' }, 'TRACING_EXPORTER_PROTOCOL must be one of http, grpc'],
  ])('%j is refused', (env, message) => {
    expect(read({ TRACING_ENABLED: 'true', ...env })).toMatchObject({
      errors: [{ message: expect.stringContaining(message) }],
    });
  });
});
