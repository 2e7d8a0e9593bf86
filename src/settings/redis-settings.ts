import { parseRedisUrl, type RedisUrl } from '../store/redis/redis-url.ts';
import { type Checks, given } from './checks.ts';
import { maskRedisUrl } from './mask-redis-url.ts';
import { createSecret } from './secret.ts';
import { secretSource } from './secret-source.ts';
import type { RedisSettings, RedisTlsSettings } from './settings.ts';

/** Both Redis have the same variables, with these beginnings. */
type Prefix = 'REDIS_' | 'REDIS_PERSECOND_';

/** What makes no difference without TLS. One set for both Redis, as in the reference. */
const tlsVariables = [
  'REDIS_TLS_CLIENT_CERT',
  'REDIS_TLS_CLIENT_KEY',
  'REDIS_TLS_CACERT',
  'REDIS_TLS_SKIP_HOSTNAME_VERIFICATION',
] as const;

/** The Redis for all limits, and the one for limits per second where it has its own. */
export function redisSettings(checks: Checks): {
  connection: RedisSettings;
  perSecond: RedisSettings | undefined;
} {
  const { values } = checks;
  const prefixes: Prefix[] = values.REDIS_PERSECOND ? ['REDIS_', 'REDIS_PERSECOND_'] : ['REDIS_'];
  const urls = prefixes.map((prefix) => checkUrl(checks, prefix));
  const isTls = urls.some((url) => url?.tls) || prefixes.some((prefix) => values[`${prefix}TLS`]);
  if (isTls) checkClientCertificate(checks);
  else checks.unused(tlsVariables, 'Redis is spoken to without TLS, unless REDIS_TLS is true');
  return {
    connection: oneRedis(checks, 'REDIS_'),
    perSecond: values.REDIS_PERSECOND ? oneRedis(checks, 'REDIS_PERSECOND_') : undefined,
  };
}

function oneRedis(checks: Checks, prefix: Prefix): RedisSettings {
  const { values } = checks;
  const url = values[`${prefix}URL`];
  const type = values[`${prefix}TYPE`];
  if (type !== 'sentinel') {
    const names = [`${prefix}SENTINEL_AUTH`, `${prefix}SENTINEL_AUTH_FILE`] as const;
    checks.unused(names, `${prefix}TYPE is not SENTINEL`);
  }
  return {
    type,
    socketType: values[`${prefix}SOCKET_TYPE`],
    url: createSecret(url, maskRedisUrl(url)),
    credentials: secretSource(checks, `${prefix}AUTH`),
    sentinelCredentials: type === 'sentinel' ? secretSource(checks, `${prefix}SENTINEL_AUTH`) : undefined,
    tls: tlsSettings(checks, values[`${prefix}TLS`]),
    connectTimeoutMs: values[`${prefix}TIMEOUT`],
  };
}

/** undefined for one that cannot be read. */
function checkUrl(checks: Checks, prefix: Prefix): RedisUrl | undefined {
  const { values } = checks;
  const url = parseRedisUrl(values[`${prefix}URL`], values[`${prefix}TYPE`], values[`${prefix}SOCKET_TYPE`]);
  if ('problem' in url) {
    checks.fail(`${prefix}URL`, `${url.problem}.`);
    return undefined;
  }
  checkSocketType(checks, prefix, url);
  return url;
}

function checkSocketType(checks: Checks, prefix: Prefix, { topology }: RedisUrl): void {
  const name = `${prefix}SOCKET_TYPE` as const;
  const kind = topology.kind === 'standalone' ? topology.address.kind : 'tcp';
  checks.holds(name, kind);
  if (!checks.isSet(name) || checks.values[name] === kind) return;
  checks.warn(
    name,
    `does not fit ${prefix}URL, which counts: it is ${kind === 'tcp' ? 'host:port' : 'a path'}.`,
  );
}

function checkClientCertificate({ values, fail }: Checks): void {
  const { REDIS_TLS_CLIENT_CERT: certFile, REDIS_TLS_CLIENT_KEY: keyFile } = values;
  if ((certFile === '') === (keyFile === '')) return;
  const missing = certFile === '' ? 'REDIS_TLS_CLIENT_CERT' : 'REDIS_TLS_CLIENT_KEY';
  fail(missing, 'must be set: a certificate for Redis and its key belong together.');
}

function tlsSettings({ values }: Checks, enabled: boolean): RedisTlsSettings {
  return {
    enabled,
    caFile: given(values.REDIS_TLS_CACERT),
    certFile: given(values.REDIS_TLS_CLIENT_CERT),
    keyFile: given(values.REDIS_TLS_CLIENT_KEY),
    verifyHostname: !values.REDIS_TLS_SKIP_HOSTNAME_VERIFICATION,
  };
}
