import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';
import { variableNames, variableOf } from './variables.ts';

const password = 's3cret';
const redis = { REDIS_URL: 'redis:6379' };
const perSecond = { ...redis, REDIS_PERSECOND: 'true' };
const sentinel = { REDIS_TYPE: 'sentinel', REDIS_URL: 'mymaster,a:26379' };

/** Everything that a program could print of a result. */
function printed(env: Environment): string {
  const result = readSettings(env);
  return [JSON.stringify(result), inspect(result, { depth: 20, showHidden: true })].join();
}

describe('X05: the bytes of a secret are nowhere to be seen', () => {
  it.each<[string, Environment]>([
    ['a password in the URL', { REDIS_URL: `redis://:${password}@redis:6379` }],
    ['a user and a password in the URL', { REDIS_URL: `rediss://user:${password}@redis:6379/1` }],
    ['a password that needed escaping', { REDIS_URL: `redis://u:@/?#,:${password}@redis:6379` }],
    ['a percent-encoded password', { REDIS_URL: `redis://u:%40${password}@redis:6379` }],
    ['a password as a parameter', { REDIS_URL: `redis://redis:6379?password=${password}` }],
    ['a password without a scheme', { REDIS_URL: `:${password}@redis:6379` }],
    [
      'passwords in a list',
      { REDIS_TYPE: 'cluster', REDIS_URL: `redis://:${password}@a:1,redis://:${password}@b:2` },
    ],
    [
      'a password of the Sentinels in the URL',
      { REDIS_TYPE: 'sentinel', REDIS_URL: `m,redis://:${password}@a:26379` },
    ],
    ['REDIS_AUTH', { ...redis, REDIS_AUTH: password }],
    ['REDIS_AUTH with a user', { ...redis, REDIS_AUTH: `user:${password}` }],
    ['REDIS_SENTINEL_AUTH', { ...sentinel, REDIS_SENTINEL_AUTH: password }],
    ['REDIS_PERSECOND_URL', { ...perSecond, REDIS_PERSECOND_URL: `redis://:${password}@b:1` }],
    ['REDIS_PERSECOND_AUTH', { ...perSecond, REDIS_PERSECOND_AUTH: password }],
    [
      'REDIS_PERSECOND_SENTINEL_AUTH',
      { ...perSecond, REDIS_PERSECOND_TYPE: 'SENTINEL', REDIS_PERSECOND_SENTINEL_AUTH: `a:${password}` },
    ],
    ['a secret that is not used', { BACKEND_TYPE: 'memory', REDIS_AUTH: password }],
    ['a secret beside an error', { REDIS_URL: `redis://:${password}@a:1`, PORT: 'x' }],
    ['a secret that is refused', { ...redis, REDIS_AUTH: `${password}\n` }],
    ['a URL that is refused', { REDIS_URL: `redis://:${password}@a:1\n` }],
    ['a key for hashes', { ...redis, SENSITIVE_HASH_KEY: `${password} and more of it` }],
    ['a key for hashes that is too short', { ...redis, SENSITIVE_HASH_KEY: password }],
    [
      'a key for hashes, twice',
      { SENSITIVE_HASH_KEY: `${password} and more`, SENSITIVE_HASH_KEY_FILE: '/k' },
    ],
    [
      'headers with a token',
      { ...redis, CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: `authorization:${password}` },
    ],
    [
      'a signature, a token and headers for URLs',
      {
        ...redis,
        CONFIG_TYPE: 'HTTP',
        CONFIG_HTTP_URLS: `https://rules.test/a?signature=${password}`,
        CONFIG_HTTP_TOKEN: password,
        CONFIG_HTTP_HEADERS: `x-key:${password}`,
      },
    ],
    [
      'credentials in a URL of rules, which is refused',
      { ...redis, CONFIG_TYPE: 'HTTP', CONFIG_HTTP_URLS: `https://u:${password}@rules.test/a` },
    ],
    [
      'a password of etcd',
      { ...redis, CONFIG_TYPE: 'ETCD', CONFIG_ETCD_USER: 'u', CONFIG_ETCD_PASSWORD: password },
    ],
    ['a token of Consul', { ...redis, CONFIG_TYPE: 'CONSUL', CONFIG_CONSUL_TOKEN: password }],
    ['headers that are no map', { ...redis, CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: password }],
    ['headers of OpenTelemetry', { ...redis, OTEL_EXPORTER_OTLP_HEADERS: `authorization=${password}` }],
    [
      'headers of OpenTelemetry that are sent',
      { ...redis, TRACING_ENABLED: 'true', OTEL_EXPORTER_OTLP_HEADERS: `authorization=${password}` },
    ],
    [
      'headers of OpenTelemetry that are refused',
      { ...redis, TRACING_ENABLED: 'true', OTEL_EXPORTER_OTLP_HEADERS: password },
    ],
    [
      'a receiver of traces with credentials',
      {
        ...redis,
        TRACING_ENABLED: 'true',
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://u:${password}@otel:4318/?t=${password}`,
      },
    ],
    ['a memcached address', { MEMCACHE_HOST_PORT: `u:${password}@m:11211` }],
    ['a slip in the name', { ...redis, REDIS_SENTINEL_AUHT: password }],
    ['the text of a key instead of its file', { GRPC_SERVER_TLS_KEY: `-----BEGIN KEY-----\n${password}\n` }],
    ['a URL in a variable for a word', { REDIS_TYPE: `redis://:${password}@a:1` }],
    [
      'a URL in a variable for an address',
      { USE_PROMETHEUS: 'true', PROMETHEUS_ADDR: `redis://:${password}@a:1` },
    ],
  ])('%s', (_, env) => {
    expect(printed(env)).not.toContain(password);
  });

  const withoutPlace = variableNames.filter((name) => variableOf(name).class !== 'honoured');

  it.each([...withoutPlace, ...variableNames.filter((name) => variableOf(name).secret)])('%s', (name) => {
    expect(printed({ ...perSecond, [name]: `user:${password}@host` })).not.toContain(password);
  });

  it('while the rest of an address is', () => {
    expect(settingsOf({ REDIS_URL: `redis://:${password}@redis:6379/1` }).inForce).toMatchObject({
      REDIS_URL: 'redis://***@redis:6379/1',
    });
    expect(settingsOf({ ...redis, REDIS_AUTH: password }).inForce).toMatchObject({
      REDIS_AUTH: '***',
    });
  });
});

function settingsOf(env: Environment) {
  const result = readSettings(env);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.settings;
}
