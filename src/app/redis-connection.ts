import type { Logger } from '../log.ts';
import type { RedisSettings } from '../settings/settings.ts';
import type { RedisConnection } from '../store/redis/redis-connection.ts';
import { parseRedisUrl } from '../store/redis/redis-url.ts';
import { redisSecrets } from './redis-secrets.ts';

/**
 * What the Redis store needs, from the settings: addresses taken apart, secrets revealed, files read.
 * Throws, with a sentence, when a file cannot be read.
 */
export function redisConnection(
  settings: RedisSettings,
  variables: 'REDIS' | 'REDIS_PERSECOND',
  log: Logger,
): RedisConnection {
  const url = parseRedisUrl(settings.url.reveal(), settings.type, settings.socketType);
  if ('problem' in url) throw new Error(`${variables}_URL ${url.problem}`);
  const isTls = settings.tls.enabled || url.tls;
  const secrets = redisSecrets(settings, { auth: url.auth, isTls, variables, log });
  return {
    topology: url.topology,
    get auth() {
      return secrets.auth;
    },
    get sentinelAuth() {
      return secrets.sentinelAuth;
    },
    db: url.db,
    get tls() {
      return secrets.tls;
    },
    connectTimeoutMs: settings.connectTimeoutMs,
  };
}
