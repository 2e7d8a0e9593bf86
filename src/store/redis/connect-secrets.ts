import type { ConnectionOptions } from 'node:tls';
import type { Redis } from 'ioredis';
import type { RedisAuth, RedisConnection, RedisTls, RedisTopology } from './redis-connection.ts';

/**
 * Has the client ask for credentials and certificates with each connection that it makes. It looks at its options then;
 * what it got when it was created is for the first one.
 */
export function renewSecrets(client: Redis, connection: RedisConnection): void {
  const current: Record<string, () => unknown> = {
    username: () => connection.auth?.username,
    password: () => connection.auth?.password,
    sentinelUsername: () => connection.sentinelAuth?.username,
    sentinelPassword: () => connection.sentinelAuth?.password,
  };
  if (client.options.tls !== undefined) {
    current['tls'] = () => connection.tls && serverTls(connection.tls, connection.topology);
    current['sentinelTLS'] = () => connection.tls && tlsOptions(connection.tls);
  }
  for (const [name, get] of Object.entries(current)) {
    Object.defineProperty(client.options, name, { get, enumerable: true, configurable: true });
  }
}

export function credentials(auth: RedisAuth): { username?: string; password: string } {
  return auth.username === undefined
    ? { password: auth.password }
    : { username: auth.username, password: auth.password };
}

export function tlsOptions(tls: RedisTls): ConnectionOptions {
  return {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.skipHostnameVerification ? { checkServerIdentity: () => undefined } : {}),
  };
}

/**
 * With the name that the certificate is for. A cluster names its nodes by IP address; their certificates are for the name
 * that the seeds were given by. Sentinels tell addresses, for which there is no name.
 */
export function serverTls(tls: RedisTls, topology: RedisTopology): ConnectionOptions {
  const host = hostOf(topology);
  // SNI is for a name only: an IP address has none (RFC 6066 section 3).
  return host === '' || /^[\d.]+$|:/.test(host) ? tlsOptions(tls) : { ...tlsOptions(tls), servername: host };
}

function hostOf(topology: RedisTopology): string {
  if (topology.kind === 'cluster') return topology.seeds[0]?.host ?? '';
  return topology.kind === 'standalone' && topology.address.kind === 'tcp' ? topology.address.host : '';
}
