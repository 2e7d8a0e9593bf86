import type { RedisSettings } from '../settings/settings.ts';
import type { RedisTls } from '../store/redis/redis-connection.ts';
import { readClientTls } from './client-tls.ts';

const variables = { ca: 'REDIS_TLS_CACERT', cert: 'REDIS_TLS_CLIENT_CERT', key: 'REDIS_TLS_CLIENT_KEY' };

/** Reads the files of TLS with Redis. Gives `last` again where nothing has changed. */
export function readTls({ tls }: RedisSettings, last: RedisTls | undefined): RedisTls {
  const read = readClientTls(tls, variables, last);
  return read === last ? last : { ...read, skipHostnameVerification: !tls.verifyHostname };
}
