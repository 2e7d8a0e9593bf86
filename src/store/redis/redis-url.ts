import type { RedisAuth, RedisTopology, TcpAddress } from './redis-connection.ts';

/** REDIS_TYPE: what the addresses of a URL are. */
export type RedisUrlType = 'single' | 'sentinel' | 'cluster';

/** What a REDIS_URL says. */
export interface RedisUrl {
  readonly topology: RedisTopology;
  readonly auth: RedisAuth | undefined;
  readonly db: number;
  /** `rediss://` */
  readonly tls: boolean;
}

/** Why a REDIS_URL says nothing. The text quotes no part of it, as it may hold a password. */
export interface RedisUrlProblem {
  readonly problem: string;
}

/**
 * Reads a REDIS_URL in the reference's forms.
 *
 * - single: `host:port`, the path of a socket, `redis://[[user]:password@]host[:port][/db]`, or the same with `rediss://`
 * - sentinel: `master,host:port,...`, the Sentinels' addresses after their name for the master
 * - cluster: `host:port,...`, some of the nodes
 *
 * `host:port` is TCP and a path is a socket, whatever REDIS_SOCKET_TYPE says. IPv6 addresses stand in brackets. The
 * addresses of a list may be URLs too; user and password are then those of the first that has them.
 * @param socketType REDIS_SOCKET_TYPE: decides what a word without a port and a slash is
 */
export function parseRedisUrl(
  url: string,
  type: RedisUrlType,
  socketType: 'tcp' | 'unix',
): RedisUrl | RedisUrlProblem {
  if (url.trim() === '') return { problem: 'is empty' };
  if (type === 'single') return parseSingle(url.trim(), socketType);
  const parts = url.split(',').map((part) => part.trim());
  if (type === 'cluster') return parseList(parts, (seeds) => ({ kind: 'cluster', seeds }));
  const [masterName = '', ...sentinels] = parts;
  if (masterName === '' || sentinels.length === 0 || masterName.includes('://')) {
    return { problem: "must be the master's name and the Sentinels: master,host:port,..." };
  }
  return parseList(sentinels, (addresses) => ({ kind: 'sentinel', masterName, sentinels: addresses }));
}

const defaultPort = 6379;

interface Endpoint {
  readonly address: TcpAddress;
  readonly auth: RedisAuth | undefined;
  readonly db: number;
  readonly tls: boolean;
}

function parseSingle(url: string, socketType: 'tcp' | 'unix'): RedisUrl | RedisUrlProblem {
  const isWord = /^[\w.-]+$/.test(url);
  const path = isWord && socketType === 'unix' ? url : socketPath(url);
  if (path !== undefined) {
    const topology: RedisTopology = { kind: 'standalone', address: { kind: 'unix', path } };
    return { topology, auth: undefined, db: 0, tls: false };
  }
  if (isList(url))
    return { problem: 'is a list of addresses, for which REDIS_TYPE must be CLUSTER or SENTINEL' };
  const endpoint = parseEndpoint(isWord ? `${url}:${defaultPort}` : url);
  if ('problem' in endpoint) return endpoint;
  const { address, ...rest } = endpoint;
  return { topology: { kind: 'standalone', address }, ...rest };
}

/** Behind the last `@`, since a password may hold commas. */
function isList(url: string): boolean {
  return url.slice(url.lastIndexOf('@') + 1).includes(',');
}

function socketPath(url: string): string | undefined {
  if (url.startsWith('unix://')) return url.slice('unix://'.length);
  return url.startsWith('/') || url.startsWith('./') ? url : undefined;
}

function parseList(
  parts: readonly string[],
  topologyOf: (addresses: readonly TcpAddress[]) => RedisTopology,
): RedisUrl | RedisUrlProblem {
  const endpoints: Endpoint[] = [];
  for (const part of parts) {
    const endpoint = parseEndpoint(part);
    if ('problem' in endpoint) return endpoint;
    endpoints.push(endpoint);
  }
  const topology = topologyOf(endpoints.map(({ address }) => address));
  const db = endpoints[0]?.db ?? 0;
  if (topology.kind === 'cluster' && db !== 0)
    return { problem: 'names a database, and a cluster has only 0' };
  return {
    topology,
    auth: endpoints.find(({ auth }) => auth !== undefined)?.auth,
    db,
    tls: endpoints.some(({ tls }) => tls),
  };
}

function parseEndpoint(text: string): Endpoint | RedisUrlProblem {
  if (!text.includes('://')) {
    const address = parseHostPort(text);
    return 'problem' in address ? address : { address, auth: undefined, db: 0, tls: false };
  }
  const scheme = /^(rediss?):\/\/([\s\S]*)$/i.exec(text);
  if (scheme === null) return { problem: 'has a scheme other than redis:// and rediss://' };
  const [, name = '', rest = ''] = scheme;
  const at = rest.lastIndexOf('@');
  const auth = at === -1 ? undefined : parseUserInfo(rest.slice(0, at));
  if (auth !== undefined && 'problem' in auth) return auth;
  const [hostPort = '', database = '', ...more] = rest.slice(at + 1).split('/');
  if (more.length > 0 || !/^\d{0,5}$/.test(database)) {
    return { problem: 'must end with the host, its port, or /database, a number' };
  }
  const address = parseHostPort(/:\d+$/.test(hostPort) ? hostPort : `${hostPort}:${defaultPort}`);
  if ('problem' in address) return address;
  return { address, auth, db: Number(database), tls: name.toLowerCase() === 'rediss' };
}

/** `user:password`, `:password`, `password`; percent-encoded where they hold special characters. */
function parseUserInfo(text: string): RedisAuth | RedisUrlProblem | undefined {
  const colon = text.indexOf(':');
  const username = decode(text.slice(0, Math.max(colon, 0)));
  const password = decode(text.slice(colon + 1));
  if (username === undefined || password === undefined) {
    return { problem: 'has a % in its user or password that is not an escape; write it as %25' };
  }
  if (password === '') return undefined;
  return { username: username === '' ? undefined : username, password };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function parseHostPort(text: string): TcpAddress | RedisUrlProblem {
  const match = /^(?:\[([\da-f:.%\w]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || !(port >= 1 && port <= 65_535)) {
    return { problem: 'must have addresses of the form host:port, IPv6 in brackets' };
  }
  return { kind: 'tcp', host, port };
}
