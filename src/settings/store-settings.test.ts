import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';
import type { SecretSource } from './secret.ts';
import type { RedisStoreSettings, StoreSettings } from './settings.ts';

function storeOf(env: Environment): StoreSettings {
  const result = readSettings(env);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.settings.store;
}

function redisOf(env: Environment): RedisStoreSettings {
  const store = storeOf(env);
  if (store.kind !== 'redis') throw new Error(store.kind);
  return store;
}

const redis = { REDIS_URL: 'redis:6379' };

function revealed(credentials: SecretSource | undefined): string | undefined {
  return credentials?.kind === 'given' ? credentials.text.reveal() : undefined;
}

describe('which store', () => {
  it.each<[Environment, StoreSettings['kind']]>([
    [{}, 'memory'],
    [{ BACKEND_TYPE: 'memory' }, 'memory'],
    [{ BACKEND_TYPE: 'redis' }, 'redis'],
    [{ BACKEND_TYPE: 'Redis' }, 'redis'],
    [redis, 'redis'],
    [{ ...redis, BACKEND_TYPE: 'redis' }, 'redis'],
    [{ REDIS_PERSECOND_URL: 'redis:6379', REDIS_PERSECOND: 'true' }, 'memory'],
  ])('%j gives %s', (env, kind) => {
    expect(storeOf(env).kind).toBe(kind);
  });

  it('is a contradiction when memory is asked for beside a REDIS_URL', () => {
    expect(readSettings({ ...redis, BACKEND_TYPE: 'memory' })).toHaveProperty('errors', [
      {
        variable: 'BACKEND_TYPE',
        message: 'BACKEND_TYPE is memory, which contradicts REDIS_URL. Remove one of them.',
      },
    ]);
  });

  it('warns about memory that nobody asked for, and only then', () => {
    expect(storeOf({})).toMatchObject({ explicit: false });
    expect(readSettings({}).warnings).toEqual([
      { variable: 'REDIS_URL', message: expect.stringContaining('each replica counts alone') },
    ]);
    expect(storeOf({ BACKEND_TYPE: 'memory' })).toMatchObject({ explicit: true });
    expect(readSettings({ BACKEND_TYPE: 'memory' }).warnings).toEqual([]);
    expect(readSettings(redis).warnings).toEqual([]);
  });

  it.each<[Environment, string]>([
    [{ BACKEND_TYPE: 'memory', REDIS_AUTH: 'x' }, 'REDIS_AUTH has no effect: counters live in memory.'],
    [{ BACKEND_TYPE: 'memory', REDIS_TYPE: 'CLUSTER' }, 'REDIS_TYPE has no effect: counters live in memory.'],
    [
      { ...redis, REDIS_PERSECOND_URL: 'x:1' },
      'REDIS_PERSECOND_URL has no effect: REDIS_PERSECOND is not true.',
    ],
    [
      { ...redis, REDIS_SENTINEL_AUTH: 'x' },
      'REDIS_SENTINEL_AUTH has no effect: REDIS_TYPE is not SENTINEL.',
    ],
    [
      { ...redis, MEMORY_STORE_MAX_COUNTERS: '9' },
      'MEMORY_STORE_MAX_COUNTERS has no effect: counters live in Redis.',
    ],
  ])('%j sets something that is not used', (env, message) => {
    expect(readSettings(env).warnings.map((warning) => warning.message)).toEqual([message]);
  });
});

describe('Redis', () => {
  it('has the defaults of the reference', () => {
    const { connection, perSecond, expirationJitterMaxSeconds } = redisOf({ BACKEND_TYPE: 'redis' });
    expect(connection.url.reveal()).toBe('/var/run/nutcracker/ratelimit.sock');
    expect(connection).toMatchObject({
      type: 'single',
      socketType: 'unix',
      credentials: undefined,
      sentinelCredentials: undefined,
      tls: {
        enabled: false,
        caFile: undefined,
        certFile: undefined,
        keyFile: undefined,
        verifyHostname: true,
      },
      connectTimeoutMs: 10_000,
    });
    expect(perSecond).toBeUndefined();
    expect(expirationJitterMaxSeconds).toBe(300);
  });

  it('has a second one for limits per second, with own variables but for the TLS files', () => {
    const { connection, perSecond } = redisOf({
      ...redis,
      REDIS_TLS_CACERT: '/ca.pem',
      REDIS_TLS_SKIP_HOSTNAME_VERIFICATION: 'true',
      REDIS_PERSECOND: 'true',
      REDIS_PERSECOND_TYPE: 'sentinel',
      REDIS_PERSECOND_URL: 'mymaster,a:26379,b:26379',
      REDIS_PERSECOND_TLS: 'true',
      REDIS_PERSECOND_TIMEOUT: '1s',
      REDIS_PERSECOND_AUTH: 'pw',
      REDIS_PERSECOND_SENTINEL_AUTH: 'watch:er',
    });
    expect(connection).toMatchObject({
      credentials: undefined,
      tls: { enabled: false, caFile: '/ca.pem', verifyHostname: false },
      connectTimeoutMs: 10_000,
    });
    expect(perSecond).toMatchObject({
      type: 'sentinel',
      connectTimeoutMs: 1_000,
      tls: { enabled: true, caFile: '/ca.pem', verifyHostname: false },
      credentials: { kind: 'given' },
      sentinelCredentials: { kind: 'given' },
    });
    expect(perSecond?.url.reveal()).toBe('mymaster,a:26379,b:26379');
    expect(revealed(perSecond?.credentials)).toBe('pw');
    expect(revealed(perSecond?.sentinelCredentials)).toBe('watch:er');
  });

  it('has a second one at the place where the reference looks for it', () => {
    const { perSecond } = redisOf({ ...redis, REDIS_PERSECOND: 'true' });
    expect(perSecond?.url.reveal()).toBe('/var/run/nutcracker/ratelimitpersecond.sock');
  });

  it.each([
    ['redis:6379', undefined],
    ['redis:6379', 'tcp'],
    ['redis', 'tcp'],
    ['/r.sock', undefined],
    ['/r.sock', 'unix'],
    ['r.sock', 'unix'],
  ])('REDIS_URL=%s with REDIS_SOCKET_TYPE=%s is nothing to warn about', (url, socketType) => {
    expect(readSettings({ REDIS_URL: url, REDIS_SOCKET_TYPE: socketType })).toMatchObject({
      settings: { store: { kind: 'redis' } },
      warnings: [],
    });
  });

  it.each([
    ['redis:6379', 'unix', 'it is host:port.', 'tcp'],
    ['/r.sock', 'tcp', 'it is a path.', 'unix'],
  ])('REDIS_URL=%s counts, not REDIS_SOCKET_TYPE=%s', (url, socketType, message, inForce) => {
    expect(readSettings({ REDIS_URL: url, REDIS_SOCKET_TYPE: socketType })).toMatchObject({
      settings: { inForce: { REDIS_SOCKET_TYPE: inForce } },
      warnings: [{ variable: 'REDIS_SOCKET_TYPE', message: expect.stringContaining(message) }],
    });
  });

  it.each<[Environment, string]>([
    [{ REDIS_URL: 'redis:x' }, 'REDIS_URL must have addresses of the form host:port'],
    [{ REDIS_URL: 'redis://:pw' }, 'REDIS_URL must'],
    [{ REDIS_URL: 'a:1,b:2' }, 'REDIS_TYPE must be CLUSTER or SENTINEL'],
    [{ ...redis, REDIS_PERSECOND: 'true', REDIS_PERSECOND_URL: 'x:' }, 'REDIS_PERSECOND_URL must have'],
    [{ BACKEND_TYPE: 'redis', REDIS_TYPE: 'SENTINEL', REDIS_URL: 'a:1' }, 'master,host:port'],
  ])('%j is refused', (env, message) => {
    expect(readSettings(env)).toHaveProperty('errors', [
      { variable: expect.stringMatching(/URL$/), message: expect.stringContaining(message) },
    ]);
  });

  it('has its credentials in a variable or in a file', () => {
    const given = redisOf({ ...redis, REDIS_AUTH: 'user:pw' }).connection;
    expect(revealed(given.credentials)).toBe('user:pw');
    const inFile = redisOf({ ...redis, REDIS_AUTH_FILE: '/run/secrets/redis' }).connection;
    expect(inFile.credentials).toEqual({ kind: 'file', file: '/run/secrets/redis' });
    expect(readSettings({ ...redis, REDIS_AUTH: 'a', REDIS_AUTH_FILE: '/b' })).toHaveProperty('errors', [
      { variable: 'REDIS_AUTH_FILE', message: 'REDIS_AUTH_FILE contradicts REDIS_AUTH. Remove one of them.' },
    ]);
  });

  it('is TLS by the URL alone', () => {
    const env = { REDIS_URL: 'rediss://redis:6379', REDIS_TLS_CACERT: '/ca.pem' };
    expect(redisOf(env).connection.tls).toMatchObject({ enabled: false, caFile: '/ca.pem' });
    expect(readSettings(env).warnings).toEqual([]);
  });

  it.each([
    ['REDIS_TLS_CLIENT_CERT', 'REDIS_TLS_CLIENT_KEY'],
    ['REDIS_TLS_CLIENT_KEY', 'REDIS_TLS_CLIENT_CERT'],
  ])('%s alone is an error', (given, missing) => {
    expect(readSettings({ ...redis, REDIS_TLS: 'true', [given]: '/x.pem' })).toHaveProperty('errors', [
      { variable: missing, message: expect.stringContaining('belong together') },
    ]);
  });

  it('a connection can be asked for by health only where there is one', () => {
    const needsConnection = (env: Environment) => {
      const result = readSettings({ ...env, REDIS_HEALTH_CHECK_ACTIVE_CONNECTION: 'true' });
      return 'settings' in result && result.settings.health.needsConnection;
    };
    expect(needsConnection(redis)).toBe(true);
    expect(needsConnection({ BACKEND_TYPE: 'memory' })).toBe(false);
  });
});
