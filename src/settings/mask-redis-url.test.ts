import { describe, expect, it } from 'vitest';
import { maskRedisUrl } from './mask-redis-url.ts';

describe('maskRedisUrl', () => {
  it.each([
    ['redis:6379', 'redis:6379'],
    ['/var/run/redis.sock', '/var/run/redis.sock'],
    ['[::1]:6379', '[::1]:6379'],
    ['mymaster,a:26379,b:26379', 'mymaster,a:26379,b:26379'],
    ['redis://host:6379/2', 'redis://host:6379/2'],
    ['redis://:s3cret@host:6379', 'redis://***@host:6379'],
    ['redis://user:s3cret@host:6379/2', 'redis://***@host:6379/2'],
    ['rediss://s3cret@host', 'rediss://***@host'],
    ['REDIS://u:s3cret@host', 'REDIS://***@host'],
    ['redis://u:s3@cret@host', 'redis://***@host'],
    ['redis://u:s3/cr?et#@host', 'redis://***@host'],
    ['redis://u:s3,cret@host', 'redis://***@host'],
    ['redis://host?password=s3cret', 'redis://host?***'],
    ['redis://host/0?a=b&password=s3cret#x', 'redis://host/0?***'],
    ['redis://host#s3cret', 'redis://host#***'],
    ['redis://host?a=\ns3cret', 'redis://host?***'],
    ['/redis.sock?password=s3cret', '/redis.sock?***'],
    ['user:s3cret@host:6379', '***@host:6379'],
    ['redis://:s3cret@a:1,redis://:s3cret2@b:2', 'redis://***@b:2'],
    ['mymaster,:s3cret@a:26379,b:26379', '***@a:26379,b:26379'],
  ])('%j is shown as %s', (url, shown) => {
    expect(maskRedisUrl(url)).toBe(shown);
  });
});
