import type { Logger } from '../log.ts';
import type { SecretSource } from '../settings/secret.ts';
import type { RedisSettings } from '../settings/settings.ts';
import type { RedisAuth, RedisConnection } from '../store/redis/redis-connection.ts';
import { readNamedFile, withoutLineEnd } from './read-named-file.ts';
import { readTls } from './redis-tls.ts';
import { renewed } from './renewed.ts';

export interface SecretsOptions {
  /** From the URL, where there are no credentials of their own. */
  readonly auth: RedisAuth | undefined;
  readonly isTls: boolean;
  readonly variables: 'REDIS' | 'REDIS_PERSECOND';
  readonly log: Logger;
}

/** Credentials and certificates, each `renewed`. Throws, with a sentence, when one can't be read the first time. */
export function redisSecrets(
  settings: RedisSettings,
  { auth, isTls, variables, log }: SecretsOptions,
): Pick<RedisConnection, 'auth' | 'sentinelAuth' | 'tls'> {
  const { credentials, sentinelCredentials } = settings;
  // A variable of its own for the password is the more deliberate place.
  const current = <T>(read: (last: T | undefined) => T) => renewed(read, 'Redis', log);
  const currentAuth = current(() => readAuth(`${variables}_AUTH_FILE`, credentials) ?? auth);
  const currentSentinelAuth = current(() => readAuth(`${variables}_SENTINEL_AUTH_FILE`, sentinelCredentials));
  const currentTls = current<RedisConnection['tls']>((last) => (isTls ? readTls(settings, last) : undefined));
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
