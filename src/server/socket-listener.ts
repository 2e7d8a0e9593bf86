import { lstat, unlink } from 'node:fs/promises';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../log.ts';
import { Sampler } from '../log-sampler.ts';
import { holdsDnsName, noNames, provenNamesOf } from './client-certificate.ts';
import { readTlsFiles, type TlsFiles, type TlsMaterial, watchTlsFiles } from './tls-files.ts';

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
export interface SocketListener {
  /** As bound: `host:port`, `[host]:port` or the socket's path. */
  readonly address: string;
  /** 0 for a unix socket. */
  readonly port: number;
  /**
   * Takes no more connections; those that are open stay. Removes a unix socket's file.
   * @returns resolves when no connection is left
   */
  close(): Promise<void>;
  /** Ends the connections that are still open. */
  destroyConnections(): void;
}

/** Clients that begin a handshake and do not end it are let go after this time. */
const handshakeTimeoutMs = 10_000;

/** Binds. Rejects, with a sentence, when the address is taken or a certificate can't be used. */
export async function listen(options: SocketListenerOptions): Promise<SocketListener> {
  const { address, tls: tlsOptions, onConnection } = options;
  const open = new Set<Socket>();
  const track = (socket: Socket): void => {
    open.add(socket);
    // A client that breaks off is no news; without a listener it would end the process.
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
  };
  const material = tlsOptions && (await readTlsFiles(tlsOptions));
  const server = material
    ? createTlsServer(material, options)
    : net.createServer({ noDelay: true }, (socket) => onConnection(socket, noNames));
  server.on('connection', track);

  await removeStaleSocket(address);
  await bind(server, address);
  const stopWatching =
    material &&
    tlsOptions &&
    watchTlsFiles(tlsOptions, {
      current: material,
      intervalMs: options.tlsReloadIntervalMs,
      log: options.log,
      onChange: (changed) => (server as tls.Server).setSecureContext(contextOf(changed)),
    });
  return {
    ...describe(server),
    close() {
      stopWatching?.();
      return new Promise((resolve) => server.close(() => resolve()));
    },
    destroyConnections() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Envoy offers TLS 1.2 at most unless it is told otherwise, so 1.3 can't be demanded. */
function contextOf({ cert, key, ca }: TlsMaterial): tls.SecureContextOptions {
  return { cert, key, ...(ca && { ca }), minVersion: 'TLSv1.2' };
}

function createTlsServer(material: TlsMaterial, options: SocketListenerOptions): tls.Server {
  const isClientAsked = material.ca !== undefined;
  const clientSan = options.tls?.clientSan;
  const refused = createRefusalLog(options);
  const server = tls.createServer({
    ...contextOf(material),
    ALPNProtocols: ['h2'],
    requestCert: isClientAsked,
    rejectUnauthorized: isClientAsked,
    handshakeTimeout: handshakeTimeoutMs,
    noDelay: true,
  });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    if (clientSan === undefined || holdsDnsName(socket, clientSan)) {
      options.onConnection(socket, isClientAsked ? provenNamesOf(socket) : noNames);
      return;
    }
    refused(socket, `the client's certificate does not hold the name ${clientSan}`);
    socket.destroy();
  });
  server.on('tlsClientError', (err: NodeJS.ErrnoException, socket) => {
    // Node hangs up on a client whose certificate it refuses, and then reports that as the client's doing.
    const untrusted = socket.authorizationError && `the client's certificate: ${socket.authorizationError}`;
    // A probe of the port connects and leaves.
    if (err.code === 'ECONNRESET' && !untrusted) return;
    refused(socket, `the TLS handshake failed: ${untrusted || err.message}`);
  });
  return server;
}

/** A client that is refused tries again and again: one line in ten seconds for each reason, and few reasons. */
function createRefusalLog({ log, clock }: SocketListenerOptions): (socket: Socket, reason: string) => void {
  const sampler = new Sampler({ intervalMs: 10_000, maxSubjects: 5 });
  return (socket, reason) => {
    const sampled = sampler.take(reason, clock.monotonic());
    if (sampled === undefined) return;
    log.warn({ peer: socket.remoteAddress, reason, ...sampled }, 'refused a connection');
  };
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

function describe(server: net.Server): { address: string; port: number } {
  const bound = server.address() as AddressInfo | string;
  if (typeof bound === 'string') return { address: bound, port: 0 };
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return { address: `${host}:${bound.port}`, port: bound.port };
}
