/**
 * Where a Redis is, and how to speak to it. Made from the settings; secrets in it go nowhere but to Redis. Credentials and
 * certificates are asked for with each connection that is made, as they may have changed.
 */
export interface RedisConnection {
  readonly topology: RedisTopology;
  readonly auth: RedisAuth | undefined;
  /** To the Sentinels themselves. */
  readonly sentinelAuth: RedisAuth | undefined;
  /** Number of the database; 0 on a cluster, which has no other. */
  readonly db: number;
  readonly tls: RedisTls | undefined;
  /** For connecting, TLS handshake included; in ms. */
  readonly connectTimeoutMs: number;
}

export type RedisTopology =
  | { readonly kind: 'standalone'; readonly address: RedisAddress }
  | { readonly kind: 'sentinel'; readonly masterName: string; readonly sentinels: readonly TcpAddress[] }
  | { readonly kind: 'cluster'; readonly seeds: readonly TcpAddress[] };

export interface TcpAddress {
  readonly kind: 'tcp';
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

export type RedisAddress = TcpAddress | { readonly kind: 'unix'; readonly path: string };

export interface RedisAuth {
  /** undefined: Redis' `default` user. */
  readonly username: string | undefined;
  readonly password: string;
}

/** Contents of PEM files; undefined means Node's own authorities, and no client certificate. */
export interface RedisTls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** The certificate is checked, its name is not. */
  readonly skipHostnameVerification: boolean;
}

/** `host:port` with IPv6 in brackets, or the path of a socket. */
export function formatAddress(address: RedisAddress): string {
  if (address.kind === 'unix') return address.path;
  return address.host.includes(':') ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
}
