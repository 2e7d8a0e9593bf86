import { lstat, unlink } from 'node:fs/promises';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../log.ts';
import { type BoundAddress, boundAddress } from './bound-address.ts';
import { holdsDnsName, noNames, provenNamesOf } from './client-certificate.ts';
import { trackSockets } from './open-sockets.ts';
import { readTlsFiles, type TlsFiles, type TlsMaterial, watchTlsFiles } from './tls-files.ts';
import {
  createRefusalLog,
  handshakeTimeoutMs,
  logHandshakeErrors,
  secureContextOf,
  tlsServerOptions,
} from './tls-server.ts';

export type ListenAddress =
  /** Port 0 takes a free one. `::` takes IPv4 too. */
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string };

export interface ListenerTls extends TlsFiles {
  /** A DNS name that a client's certificate must hold (a wildcard in the certificate may cover it); undefined takes any. */
  readonly clientSan: string | undefined;
}

export interface SocketListenerOptions {
  readonly address: ListenAddress;
  /** Undefined: plain text. */
  readonly tls: ListenerTls | undefined;
  /** How often the files of `tls` are looked at. */
  readonly tlsReloadIntervalMs: number;
  /**
   * Gets each connection once it may speak: after the TLS handshake, and when its client is admitted, with the names that
   * the client has proven to have.
   */
  readonly onConnection: (socket: Socket, provenNames: readonly string[]) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A bound address that hands out HTTP/2 connections. */
export interface SocketListener extends BoundAddress {
  /**
   * Takes no more connections; those that are open stay. Removes a unix socket's file.
   * @returns resolves when no connection is left
   */
  close(): Promise<void>;
  /** Ends the connections that are still open. */
  destroyConnections(): void;
}

/** Binds. Rejects, with a sentence, when the address is taken or a certificate can't be used. */
export async function listen(options: SocketListenerOptions): Promise<SocketListener> {
  const { address, tls: tlsOptions, onConnection } = options;
  const material = tlsOptions && (await readTlsFiles(tlsOptions));
  const server = material
    ? createTlsServer(material, options)
    : net.createServer({ noDelay: true }, (socket) => onConnection(socket, noNames));
  const open = trackSockets(server);

  await removeStaleSocket(address);
  await bind(server, address);
  const stopWatching =
    material &&
    tlsOptions &&
    watchTlsFiles(tlsOptions, {
      current: material,
      intervalMs: options.tlsReloadIntervalMs,
      log: options.log,
      onChange: (changed) => (server as tls.Server).setSecureContext(secureContextOf(changed)),
    });
  return {
    ...boundAddress(server),
    close() {
      stopWatching?.();
      return new Promise((resolve) => server.close(() => resolve()));
    },
    destroyConnections: open.destroyAll,
  };
}

function createTlsServer(material: TlsMaterial, options: SocketListenerOptions): tls.Server {
  const isClientAsked = material.ca !== undefined;
  const clientSan = options.tls?.clientSan;
  const refused = createRefusalLog(options);
  const server = tls.createServer({
    ...tlsServerOptions(material, handshakeTimeoutMs),
    ALPNProtocols: ['h2'],
    noDelay: true,
  });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    if (clientSan === undefined || holdsDnsName(socket, clientSan)) {
      options.onConnection(socket, isClientAsked ? provenNamesOf(socket) : noNames);
      return;
    }
    refused(socket.remoteAddress, `the client's certificate does not hold the name ${clientSan}`);
    socket.destroy();
  });
  logHandshakeErrors(server, refused);
  return server;
}

/** A socket's file outlives a process that was killed. It goes, unless somebody listens on it. */
async function removeStaleSocket(address: ListenAddress): Promise<void> {
  if (address.kind !== 'unix') return;
  const { path } = address;
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} is not a socket, and is left as it is`);
  if (await isListening(path)) throw new Error(`another process listens on ${path}`);
  await unlink(path);
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Only a refusal says that nobody is there; anything else (no permission, a full queue) does not.
    socket.once('error', (err: NodeJS.ErrnoException) => resolve(err.code !== 'ECONNREFUSED'));
  });
}

function bind(server: net.Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const where =
      address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port };
    server.listen(where, () => {
      server.removeListener('error', reject);
      // Later errors concern single connections (such as too many open files); the listener goes on.
      server.on('error', () => {});
      resolve();
    });
  });
}
