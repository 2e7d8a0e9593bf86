import type { DropArgument, Server } from 'node:net';
import type tls from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { type BoundAddress, boundAddress } from '../bound-address.ts';
import { trackSockets } from '../open-sockets.ts';
import { readTlsFiles, type TlsFiles, type TlsMaterial, watchTlsFiles } from '../tls-files.ts';
import { createRefusalLog, logHandshakeErrors, type RefusalLog, secureContextOf } from '../tls-server.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpLimits } from './http-limits.ts';

export interface HttpListenerOptions {
  /** An address, not in brackets; empty takes every address of the machine. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly limits: HttpLimits;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of each connection that is closed at once, since there are as many as there may be. */
  readonly onConnectionRefused: () => void;
}

export interface HttpTls {
  readonly files: TlsFiles;
  /** How often the files are looked at. */
  readonly reloadIntervalMs: number;
}

export interface HttpListener extends BoundAddress {
  /** Takes no more connections and lets requests end; what is left at the deadline is cut. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Binds an HTTP/1.1 listener with these routes; anything else is 404. Rejects when it can't bind or a certificate can't be
 * used.
 * @param httpTls undefined: plain text
 */
export async function listenHttp(
  options: HttpListenerOptions,
  routes: (app: FastifyInstance) => void,
  httpTls?: HttpTls,
): Promise<HttpListener> {
  const material = httpTls && (await readTlsFiles(httpTls.files));
  const app = createHttpApp({ ...options, tls: material });
  const open = trackSockets(app.server);
  const refused = createRefusalLog(options);
  boundConnections(app.server, options, refused);
  routes(app);
  await app.listen({ host: oneAddress(options.host), port: options.port });
  // Later errors concern single connections (such as too many open files); the listener goes on.
  app.server.on('error', () => {});
  if (material) logHandshakeErrors(app.server as unknown as tls.Server, refused);
  const stopWatching = httpTls && material && renewCertificates(app.server, httpTls, material, options.log);
  return {
    ...boundAddress(app.server),
    async stop(deadlineMs) {
      stopWatching?.();
      const timer = setTimeout(open.destroyAll, deadlineMs);
      await app.close();
      clearTimeout(timer);
    },
  };
}

/** Go prefers IPv4 for this name. fastify would open a second server on `::1`, to which no limit of ours applies. */
function oneAddress(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

function boundConnections(
  server: Server,
  { limits: { maxConnections }, onConnectionRefused }: HttpListenerOptions,
  refused: RefusalLog,
): void {
  server.maxConnections = maxConnections;
  server.on('drop', (connection?: DropArgument) => {
    onConnectionRefused();
    refused(connection?.remoteAddress, `there are ${maxConnections} connections already`);
  });
}

/** @returns how to stop that */
function renewCertificates(
  server: Server,
  { files, reloadIntervalMs }: HttpTls,
  current: TlsMaterial,
  log: Logger,
): () => void {
  return watchTlsFiles(files, {
    current,
    intervalMs: reloadIntervalMs,
    log,
    onChange: (changed) => (server as tls.Server).setSecureContext(secureContextOf(changed)),
  });
}
