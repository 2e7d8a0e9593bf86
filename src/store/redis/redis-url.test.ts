import { describe, expect, it } from 'vitest';
import { parseRedisUrl, type RedisUrlType } from './redis-url.ts';

const tcp = (host: string, port: number) => ({ kind: 'tcp', host, port });
const standalone = (host: string, port: number) => ({ kind: 'standalone', address: tcp(host, port) });
const plain = { auth: undefined, db: 0, tls: false };

describe('parseRedisUrl', () => {
  const accepted: [RedisUrlType, string, object][] = [
    ['single', 'redis:6379', { topology: standalone('redis', 6379), ...plain }],
    ['single', '10.0.0.1:7000', { topology: standalone('10.0.0.1', 7000), ...plain }],
    ['single', '[::1]:6379', { topology: standalone('::1', 6379), ...plain }],
    [
      'single',
      '/run/redis.sock',
      { topology: { kind: 'standalone', address: { kind: 'unix', path: '/run/redis.sock' } }, ...plain },
    ],
    [
      'single',
      'unix:///run/r.sock',
      { topology: { kind: 'standalone', address: { kind: 'unix', path: '/run/r.sock' } }, ...plain },
    ],
    ['single', 'redis://redis', { topology: standalone('redis', 6379), ...plain }],
    ['single', 'redis://redis:1/3', { topology: standalone('redis', 1), ...plain, db: 3 }],
    ['single', 'rediss://[fe80::1]:2', { topology: standalone('fe80::1', 2), ...plain, tls: true }],
    ['single', 'rediss://[::1]', { topology: standalone('::1', 6379), ...plain, tls: true }],
    [
      'single',
      'redis://:pw@r:1',
      { topology: standalone('r', 1), ...plain, auth: { username: undefined, password: 'pw' } },
    ],
    [
      'single',
      'redis://pw@r:1',
      { topology: standalone('r', 1), ...plain, auth: { username: undefined, password: 'pw' } },
    ],
    [
      'single',
      'REDIS://u:p%40%3A,@r:1/0',
      { topology: standalone('r', 1), ...plain, auth: { username: 'u', password: 'p@:,' } },
    ],
    [
      'single',
      'redis://u:p@q@r:1',
      { topology: standalone('r', 1), ...plain, auth: { username: 'u', password: 'p@q' } },
    ],
    [
      'sentinel',
      'mymaster,s1:26379,s2:26380',
      {
        topology: {
          kind: 'sentinel',
          masterName: 'mymaster',
          sentinels: [tcp('s1', 26379), tcp('s2', 26380)],
        },
        ...plain,
      },
    ],
    ['cluster', 'n1:1', { topology: { kind: 'cluster', seeds: [tcp('n1', 1)] }, ...plain }],
    [
      'cluster',
      'n1:1, n2:2',
      { topology: { kind: 'cluster', seeds: [tcp('n1', 1), tcp('n2', 2)] }, ...plain },
    ],
    [
      'cluster',
      'rediss://u:p@n1:1,n2:2',
      {
        topology: { kind: 'cluster', seeds: [tcp('n1', 1), tcp('n2', 2)] },
        auth: { username: 'u', password: 'p' },
        db: 0,
        tls: true,
      },
    ],
  ];
  it.each(accepted)('%s %s', (type, url, expected) => {
    expect(parseRedisUrl(url, type, 'tcp')).toEqual(expected);
  });

  it('a word is a host or a socket, as REDIS_SOCKET_TYPE says', () => {
    expect(parseRedisUrl('redis', 'single', 'tcp')).toEqual({
      topology: standalone('redis', 6379),
      ...plain,
    });
    const socket = { kind: 'standalone', address: { kind: 'unix', path: 'redis' } };
    expect(parseRedisUrl('redis', 'single', 'unix')).toEqual({ topology: socket, ...plain });
  });

  it('host:port is TCP whatever REDIS_SOCKET_TYPE says', () => {
    expect(parseRedisUrl('redis:1', 'single', 'unix')).toEqual({
      topology: standalone('redis', 1),
      ...plain,
    });
  });

  const refused: [RedisUrlType, string, RegExp][] = [
    ['single', '', /empty/],
    ['single', 'redis:0', /host:port/],
    ['single', 'redis:65536', /host:port/],
    ['single', '::1:6379', /host:port/],
    ['single', 'a:1,b:2', /CLUSTER or SENTINEL/],
    ['single', 'http://redis:80', /scheme/],
    ['single', 'redis://r:1/x', /database/],
    ['single', 'redis://r:1/0/1', /database/],
    ['single', 'redis://u:secret%zz@r:1', /%25/],
    ['sentinel', 'mymaster', /master,host:port/],
    ['sentinel', ',s1:1', /master,host:port/],
    ['sentinel', 'redis://s1:1,s2:2', /master,host:port/],
    ['cluster', 'n1:1,,n2:2', /host:port/],
    ['cluster', 'redis://n1:1/2', /only 0/],
  ];
  it.each(refused)('refuses %s "%s"', (type, url, problem) => {
    expect(parseRedisUrl(url, type, 'tcp')).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('X05: a problem quotes nothing of the URL', () => {
    for (const url of ['redis://u:hunter2@', 'redis://u:hunter2%zz@r:1', 'hunter2:0', 'x://hunter2@r:1']) {
      expect(JSON.stringify(parseRedisUrl(url, 'single', 'tcp'))).not.toContain('hunter2');
    }
  });
});
