import { readFileSync } from 'node:fs';
import type { Logger } from '../log.ts';
import type { RedisCredentials, RedisSettings } from '../settings/settings.ts';
import type { RedisAuth, RedisConnection } from '../store/redis/redis-connection.ts';
import { readTls } from './redis-tls.ts';

export type RedisSecrets = Pick<RedisConnection, 'auth' | 'sentinelAuth' | 'tls'>;

/**
 * Reads credentials and certificates from their files, each time it is asked: whoever changes a password changes the file,
 * and the next connection has to know. A file that can't be read then is told, and what was last read counts.
 * Throws, with a sentence, when one can't be read the first time.
 */
export function redisSecrets(
  settings: RedisSettings,
  { auth, isTls, variables, log }: SecretsOptions,
): () => RedisSecrets {
  const read = (): RedisSecrets => ({
    auth: readAuth(`${variables}_AUTH_FILE`, settings.credentials) ?? auth,
    sentinelAuth: readAuth(`${variables}_SENTINEL_AUTH_FILE`, settings.sentinelCredentials),
    tls: isTls ? readTls(settings) : undefined,
  });
  let last = read();
  return () => {
    try {
      last = read();
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'credentials of Redis cannot be read again');
    }
    return last;
  };
}

export interface SecretsOptions {
  /** From the URL, where there are none of their own. */
  readonly auth: RedisAuth | undefined;
  readonly isTls: boolean;
  readonly variables: 'REDIS' | 'REDIS_PERSECOND';
  readonly log: Logger;
}

function readAuth(variable: string, credentials: RedisCredentials | undefined): RedisAuth | undefined {
  if (credentials === undefined) return undefined;
  if (credentials.kind === 'given') return authOf(credentials.text.reveal());
  let text: string;
  try {
    text = readFileSync(credentials.file, 'utf8');
  } catch (error) {
    throw new Error(
      `${variable}: ${credentials.file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  return authOf(text.replace(/[\r\n]+$/, ''));
}

/** `password` or `user:password`. The first colon parts the two, as in the reference. */
function authOf(text: string): RedisAuth {
  const colon = text.indexOf(':');
  return {
    username: colon > 0 ? text.slice(0, colon) : undefined,
    password: text.slice(colon + 1),
  };
}
