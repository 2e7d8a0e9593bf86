import type { Logger } from '../log.ts';
import type { RedisSettings, SecretSource } from '../settings/settings.ts';
import type { RedisAuth, RedisConnection } from '../store/redis/redis-connection.ts';
import { readNamedFile, withoutLineEnd } from './read-named-file.ts';
import { readTls } from './redis-tls.ts';

export interface SecretsOptions {
  /** From the URL, where there are no credentials of their own. */
  readonly auth: RedisAuth | undefined;
  readonly isTls: boolean;
  readonly variables: 'REDIS' | 'REDIS_PERSECOND';
  readonly log: Logger;
}

/**
 * Credentials and certificates, read from their files each time they are asked for: whoever changes a password changes the
 * file, and the next connection has to know. A file that can't be read then is told, and what was last read counts.
 * Throws, with a sentence, when one can't be read the first time.
 */
export function redisSecrets(
  settings: RedisSettings,
  { auth, isTls, variables, log }: SecretsOptions,
): Pick<RedisConnection, 'auth' | 'sentinelAuth' | 'tls'> {
  const renewed = <T>(read: (last: T | undefined) => T) => {
    let last = read(undefined);
    return () => {
      try {
        last = read(last);
      } catch (error) {
        log.error({ reason: (error as Error).message }, 'credentials of Redis cannot be read again');
      }
      return last;
    };
  };
  const { credentials, sentinelCredentials } = settings;
  // A variable of its own for the password is the more deliberate place.
  const currentAuth = renewed(() => readAuth(`${variables}_AUTH_FILE`, credentials) ?? auth);
  const currentSentinelAuth = renewed(() => readAuth(`${variables}_SENTINEL_AUTH_FILE`, sentinelCredentials));
  const currentTls = renewed<RedisConnection['tls']>((last) => (isTls ? readTls(settings, last) : undefined));
  return {
    get auth() {
      return currentAuth();
    },
    get sentinelAuth() {
      return currentSentinelAuth();
    },
    get tls() {
      return currentTls();
    },
  };
}

/** `password` or `user:password`. The first colon parts the two, as in the reference. */
function readAuth(variable: string, source: SecretSource | undefined): RedisAuth | undefined {
  if (source === undefined) return undefined;
  const text =
    source.kind === 'given' ? source.text.reveal() : withoutLineEnd(readNamedFile(variable, source.file));
  const colon = text.indexOf(':');
  return { username: colon > 0 ? text.slice(0, colon) : undefined, password: text.slice(colon + 1) };
}
