import { maskRedisUrl } from '../mask-redis-url.ts';
import { showHidden } from '../secret.ts';
import { choice, duration, flag, integer, list, text } from '../value-type.ts';
import { honoured, honouredSecret, refused, withoutEffect } from '../variable.ts';

const socketType = choice({ tcp: 'tcp', unix: 'unix' } as const);
const redisType = choice({ SINGLE: 'single', SENTINEL: 'sentinel', CLUSTER: 'cluster' } as const);

const noPool = 'one connection per node carries all calls';
const joined = 'the hits that wait for a node are sent to it in one call';
const forEver =
  'the listeners open at once, and connecting is tried again for ever; STORE_WAIT is about readiness';
const noMemcached =
  'counts are not kept in memcached, which cannot decide and count in one step. Set REDIS_URL (or BACKEND_TYPE=memory for a single replica)';

const memcachedAddress = (name: string) => ({
  reason: 'memcached cannot decide and count in one step.',
  refuses: () => `${noMemcached} and remove ${name}.`,
});
const memcachedDetail = 'it is about memcached';

const sentinelAuth = 'of the Sentinels themselves: `password` or `user:password`.';

/** Where counters live. */
export const storeVariables = {
  BACKEND_TYPE: honoured(
    choice<'memory' | 'redis' | 'memcache'>(
      { memory: 'memory', redis: 'redis' },
      { memcache: 'memcache', memcached: 'memcache' },
    ),
    'memory',
    'Where counters live: `redis`, or `memory` (of this process). Not set, it is redis if REDIS_URL is set and memory if not.',
    {
      reason: 'Reference: redis; `memory` is new, and memcache is refused.',
      refuses: (value) => (value === 'memcache' ? `${noMemcached}.` : undefined),
    },
  ),
  REDIS_SOCKET_TYPE: honoured(
    socketType,
    'unix',
    'What a REDIS_URL is that is a word, without a port and without a slash.',
    {
      reason:
        '`host:port` is tcp and a path is a unix socket, whatever this says; it is warned about when it is set to say otherwise.',
    },
  ),
  REDIS_TYPE: honoured(redisType, 'single', 'A server, Sentinels, or a cluster.'),
  REDIS_URL: honouredSecret(
    '/var/run/nutcracker/ratelimit.sock',
    'SINGLE: `host:port`, the path of a socket, `redis://` or `rediss://`. SENTINEL: `master,host:port,...`. CLUSTER: `host:port,...`.',
    maskRedisUrl,
    {
      reason:
        'Reference: that socket, whether it is set or not. Not set, and without BACKEND_TYPE=redis, counters live in memory.',
    },
  ),
  REDIS_POOL_SIZE: withoutEffect(integer(), 10, 'Number of connections.', noPool),
  REDIS_AUTH: honouredSecret(
    '',
    '`password` or `user:password`. It counts before a password in REDIS_URL.',
    showHidden,
  ),
  REDIS_TLS: honoured(flag, false, 'TLS to Redis.'),
  REDIS_TLS_CLIENT_CERT: honoured(
    text,
    '',
    'File of the certificate that is shown to Redis (PEM), for both Redis.',
  ),
  REDIS_TLS_CLIENT_KEY: honoured(text, '', 'File of its key (PEM).'),
  REDIS_TLS_CACERT: honoured(text, '', 'File of the certificate authority of Redis (PEM).'),
  REDIS_TLS_SKIP_HOSTNAME_VERIFICATION: honoured(
    flag,
    false,
    'The name in the certificate of Redis is not compared.',
  ),
  REDIS_PIPELINE_WINDOW: withoutEffect(duration(), 0, 'Time for which commands are held back.', joined),
  REDIS_PIPELINE_LIMIT: withoutEffect(integer(), 0, 'Number of commands sent at once.', joined),
  REDIS_CLUSTER_PIPELINE_PARALLELISM: withoutEffect(
    integer(),
    1,
    'Number of nodes asked at once.',
    'all nodes are asked at once',
  ),
  REDIS_PERSECOND: honoured(flag, false, 'Limits per second are counted in a Redis of their own.'),
  REDIS_PERSECOND_SOCKET_TYPE: honoured(socketType, 'unix', 'As REDIS_SOCKET_TYPE, for it.'),
  REDIS_PERSECOND_TYPE: honoured(redisType, 'single', 'As REDIS_TYPE, for it.'),
  REDIS_PERSECOND_URL: honouredSecret(
    '/var/run/nutcracker/ratelimitpersecond.sock',
    'As REDIS_URL, for it.',
    maskRedisUrl,
  ),
  REDIS_PERSECOND_POOL_SIZE: withoutEffect(integer(), 10, 'Number of connections.', noPool),
  REDIS_PERSECOND_AUTH: honouredSecret('', 'As REDIS_AUTH, for it.', showHidden),
  REDIS_PERSECOND_TLS: honoured(flag, false, 'TLS to it.'),
  REDIS_SENTINEL_AUTH: honouredSecret('', `Credentials ${sentinelAuth}`, showHidden),
  REDIS_PERSECOND_SENTINEL_AUTH: honouredSecret('', 'As REDIS_SENTINEL_AUTH, for it.', showHidden),
  REDIS_PERSECOND_PIPELINE_WINDOW: withoutEffect(
    duration(),
    0,
    'Time for which commands are held back.',
    joined,
  ),
  REDIS_PERSECOND_PIPELINE_LIMIT: withoutEffect(integer(), 0, 'Number of commands sent at once.', joined),
  REDIS_PERSECOND_CLUSTER_PIPELINE_PARALLELISM: withoutEffect(
    integer(),
    1,
    'Number of nodes asked at once.',
    'all nodes are asked at once',
  ),
  REDIS_HEALTH_CHECK_ACTIVE_CONNECTION: honoured(flag, false, 'Ready only while Redis has a connection.'),
  REDIS_TIMEOUT: honoured(
    duration({ positive: true }),
    10_000,
    'Time for making a connection. Answers are awaited for STORE_TIMEOUT.',
  ),
  REDIS_PERSECOND_TIMEOUT: honoured(duration({ positive: true }), 10_000, 'As REDIS_TIMEOUT, for it.'),
  REDIS_POOL_ON_EMPTY_BEHAVIOR: withoutEffect(
    text,
    'WAIT',
    'What happens when no connection is free.',
    noPool,
  ),
  REDIS_PERSECOND_POOL_ON_EMPTY_BEHAVIOR: withoutEffect(
    text,
    'WAIT',
    'What happens when no connection is free.',
    noPool,
  ),
  REDIS_POOL_ON_EMPTY_WAIT_DURATION: withoutEffect(
    duration(),
    0,
    "How long that waits; only in the reference's README.",
    noPool,
  ),
  REDIS_PERSECOND_POOL_ON_EMPTY_WAIT_DURATION: withoutEffect(
    duration(),
    0,
    "How long that waits; only in the reference's README.",
    noPool,
  ),
  REDIS_STARTUP_INITIAL_INTERVAL: withoutEffect(
    duration(),
    1_000,
    'First delay before connecting again at the start.',
    forEver,
  ),
  REDIS_STARTUP_MAX_INTERVAL: withoutEffect(duration(), 30_000, 'Longest such delay.', forEver),
  REDIS_STARTUP_MAX_ELAPSED_TIME: withoutEffect(duration(), 0, 'When to give up.', forEver),
  MEMCACHE_HOST_PORT: refused(list, [], 'memcached servers.', memcachedAddress('MEMCACHE_HOST_PORT')),
  MEMCACHE_MAX_IDLE_CONNS: withoutEffect(integer(), 2, 'memcached: connections kept.', memcachedDetail),
  MEMCACHE_SRV: refused(text, '', 'memcached servers, by DNS.', memcachedAddress('MEMCACHE_SRV')),
  MEMCACHE_SRV_REFRESH: withoutEffect(duration(), 0, 'memcached: time between look-ups.', memcachedDetail),
  MEMCACHE_TLS: withoutEffect(flag, false, 'memcached: TLS.', memcachedDetail),
  MEMCACHE_TLS_CLIENT_CERT: withoutEffect(text, '', 'memcached: certificate of the client.', memcachedDetail),
  MEMCACHE_TLS_CLIENT_KEY: withoutEffect(text, '', 'memcached: its key.', memcachedDetail),
  MEMCACHE_TLS_CACERT: withoutEffect(text, '', 'memcached: certificate authority.', memcachedDetail),
  MEMCACHE_TLS_SKIP_HOSTNAME_VERIFICATION: withoutEffect(
    flag,
    false,
    'memcached: name not compared.',
    memcachedDetail,
  ),
};

/** Weir's own, for the same. */
export const ownStoreVariables = {
  REDIS_AUTH_FILE: honoured(
    text,
    '',
    'File that holds what REDIS_AUTH would. It is read with each connection that is made.',
    { reason: 'So that a password can be changed without a restart.' },
  ),
  REDIS_SENTINEL_AUTH_FILE: honoured(text, '', 'The same for REDIS_SENTINEL_AUTH.', { reason: 'As above.' }),
  REDIS_PERSECOND_AUTH_FILE: honoured(text, '', 'The same for REDIS_PERSECOND_AUTH.', {
    reason: 'As above.',
  }),
  REDIS_PERSECOND_SENTINEL_AUTH_FILE: honoured(text, '', 'The same for REDIS_PERSECOND_SENTINEL_AUTH.', {
    reason: 'As above.',
  }),
  MEMORY_STORE_MAX_COUNTERS: honoured(
    integer({ min: 1 }),
    500_000,
    'Counters that the memory store holds at most.',
    {
      reason: 'Callers choose how many counters there are, and memory must not grow without a bound.',
    },
  ),
};
