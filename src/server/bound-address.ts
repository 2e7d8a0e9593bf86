import type { AddressInfo, Server } from 'node:net';

/** Where a server listens. */
export interface BoundAddress {
  /** As bound: `host:port`, `[host]:port` or the socket's path. */
  readonly address: string;
  /** 0 for a unix socket. */
  readonly port: number;
}

export function boundAddress(server: Server): BoundAddress {
  const bound = server.address() as AddressInfo | string;
  if (typeof bound === 'string') return { address: bound, port: 0 };
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return { address: `${host}:${bound.port}`, port: bound.port };
}
