import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLogger } from '../log.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { RedisSettings } from '../settings/settings.ts';
import { redisConnection } from './redis-connection.ts';

const directory = mkdtempSync(join(tmpdir(), 'weir-redis-connection-'));
const lines: unknown[] = [];
const log = createLogger({
  level: 'info',
  format: 'json',
  destination: { write: (line) => lines.push(JSON.parse(line)) },
});
const junk = join(directory, 'junk.pem');
writeFileSync(junk, 'no certificate');
afterAll(() => rmSync(directory, { recursive: true }));

function settingsOf(env: Record<string, string>): {
  connection: RedisSettings;
  perSecond: RedisSettings | undefined;
} {
  const read = readSettings(env);
  if ('errors' in read || read.settings.store.kind !== 'redis') throw new Error(JSON.stringify(read));
  return read.settings.store;
}

const standalone = { kind: 'standalone', address: { kind: 'tcp', host: 'redis', port: 6379 } };

describe('what the store gets of the environment', () => {
  it.each([
    [
      'an address',
      { REDIS_URL: 'redis:6379' },
      { topology: standalone, auth: undefined, db: 0, tls: undefined },
    ],
    [
      'a password',
      { REDIS_URL: 'redis:6379', REDIS_AUTH: 'p' },
      { auth: { username: undefined, password: 'p' } },
    ],
    ['a user', { REDIS_URL: 'redis:6379', REDIS_AUTH: 'u:p' }, { auth: { username: 'u', password: 'p' } }],
    [
      'all in one URL',
      { REDIS_URL: 'redis://u:p@redis:6379/3' },
      { topology: standalone, auth: { username: 'u' }, db: 3 },
    ],
    [
      'both, where the variable counts',
      { REDIS_URL: 'redis://:old@redis:6379', REDIS_AUTH: 'new' },
      { auth: { password: 'new' } },
    ],
    [
      'TLS by its variable',
      { REDIS_URL: 'redis:6379', REDIS_TLS: 'true' },
      { tls: { skipHostnameVerification: false } },
    ],
    ['TLS by the URL', { REDIS_URL: 'rediss://redis:6379' }, { tls: { ca: undefined } }],
    [
      'TLS without the name',
      { REDIS_URL: 'rediss://redis:6379', REDIS_TLS_SKIP_HOSTNAME_VERIFICATION: 'true' },
      { tls: { skipHostnameVerification: true } },
    ],
    [
      'a socket',
      { REDIS_URL: '/run/redis.sock' },
      { topology: { address: { kind: 'unix', path: '/run/redis.sock' } } },
    ],
    [
      'Sentinels with a password of their own',
      { REDIS_URL: 'main,a:1,b:2', REDIS_TYPE: 'SENTINEL', REDIS_SENTINEL_AUTH: 's', REDIS_AUTH: 'p' },
      {
        topology: { kind: 'sentinel', masterName: 'main' },
        sentinelAuth: { password: 's' },
        auth: { password: 'p' },
      },
    ],
    [
      'a cluster',
      { REDIS_URL: 'a:1,b:2', REDIS_TYPE: 'cluster' },
      { topology: { kind: 'cluster', seeds: [{ host: 'a' }, { host: 'b' }] } },
    ],
    ['a time to connect', { REDIS_URL: 'redis:6379', REDIS_TIMEOUT: '2s' }, { connectTimeoutMs: 2_000 }],
  ])('%s', (_, env, expected) => {
    expect(redisConnection(settingsOf(env).connection, 'REDIS', log)).toMatchObject(expected);
  });

  it('a second Redis for windows of one second', () => {
    const env = {
      REDIS_URL: 'redis:6379',
      REDIS_PERSECOND: 'true',
      REDIS_PERSECOND_URL: 'fast:6380',
      REDIS_PERSECOND_AUTH: 'q',
      REDIS_PERSECOND_TLS: 'true',
    };
    const { perSecond } = settingsOf(env);
    expect(redisConnection(perSecond as RedisSettings, 'REDIS_PERSECOND', log)).toMatchObject({
      topology: { address: { host: 'fast', port: 6380 } },
      auth: { password: 'q' },
      tls: { skipHostnameVerification: false },
    });
  });
});

describe('files that cannot be used are named, with their variable', () => {
  const redis = { REDIS_URL: 'rediss://redis:6379' };
  it.each([
    [{ REDIS_AUTH_FILE: '/no/such' }, 'REDIS_AUTH_FILE: /no/such cannot be read (ENOENT)'],
    [{ REDIS_TLS_CACERT: '/no/such.pem' }, 'REDIS_TLS_CACERT: /no/such.pem cannot be read (ENOENT)'],
    [{ REDIS_TLS_CACERT: junk }, `REDIS_TLS_CACERT: ${junk} holds no certificate in PEM`],
    [
      { REDIS_TLS_CLIENT_CERT: junk, REDIS_TLS_CLIENT_KEY: junk },
      `REDIS_TLS_CLIENT_CERT: ${junk} holds no certificate in PEM`,
    ],
  ])('%o', (env, message) => {
    const { connection } = settingsOf({ ...redis, ...env });
    expect(() => redisConnection(connection, 'REDIS', log)).toThrow(message);
  });
});

describe('credentials', () => {
  it.each([
    ['pw', undefined, 'pw'],
    ['user:pw', 'user', 'pw'],
    ['user:p:w', 'user', 'p:w'],
    [':pw', undefined, 'pw'],
    ['user:', 'user', ''],
  ])('REDIS_AUTH=%s', (auth, username, password) => {
    const { connection } = settingsOf({ REDIS_URL: 'redis:6379', REDIS_AUTH: auth });
    expect(redisConnection(connection, 'REDIS', log).auth).toEqual({ username, password });
  });

  it('F09: of a file are read for each connection; one that is gone leaves the last', () => {
    const file = join(directory, 'auth');
    writeFileSync(file, 'user:old\n');
    const { connection } = settingsOf({ REDIS_URL: 'redis:6379', REDIS_AUTH_FILE: file });
    const made = redisConnection(connection, 'REDIS', log);
    expect(made.auth).toEqual({ username: 'user', password: 'old' });
    writeFileSync(file, 'user:new\n');
    expect(made.auth).toEqual({ username: 'user', password: 'new' });
    rmSync(file);
    expect(made.auth).toEqual({ username: 'user', password: 'new' });
    expect(lines).toMatchObject([
      { level: 'error', reason: `REDIS_AUTH_FILE: ${file} cannot be read (ENOENT)` },
    ]);
  });
});
