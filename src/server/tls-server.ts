import type tls from 'node:tls';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../log.ts';
import { Sampler } from '../log-sampler.ts';
import type { TlsMaterial } from './tls-files.ts';

/** Clients that begin a handshake and do not end it are let go after this time. */
export const handshakeTimeoutMs = 10_000;

/** Envoy offers TLS 1.2 at most unless it is told otherwise, so 1.3 can't be demanded. */
export function secureContextOf({ cert, key, ca }: TlsMaterial): tls.SecureContextOptions {
  return { cert, key, ...(ca && { ca }), minVersion: 'TLSv1.2' };
}

/** With an authority for clients, only those get in that show a certificate of it. */
export function tlsServerOptions(material: TlsMaterial, handshakeTimeout: number): tls.TlsOptions {
  const isClientAsked = material.ca !== undefined;
  return {
    ...secureContextOf(material),
    requestCert: isClientAsked,
    rejectUnauthorized: isClientAsked,
    handshakeTimeout,
  };
}

/** Tells why a client was turned away. */
export type RefusalLog = (peer: string | undefined, reason: string) => void;

/** A client that is refused tries again and again: one line in ten seconds for each reason, and few reasons. */
export function createRefusalLog({
  log,
  clock,
}: {
  readonly log: Logger;
  readonly clock: Clock;
}): RefusalLog {
  const sampler = new Sampler({ intervalMs: 10_000, maxSubjects: 5 });
  return (peer, reason) => {
    const sampled = sampler.take(reason, clock.monotonic());
    if (sampled === undefined) return;
    log.warn({ peer, reason, ...sampled }, 'refused a connection');
  };
}

/** Has the log say which handshakes failed. */
export function logHandshakeErrors(server: tls.Server, refused: RefusalLog): void {
  server.on('tlsClientError', (err: NodeJS.ErrnoException, socket) => {
    // Node hangs up on a client whose certificate it refuses, and then reports that as the client's doing.
    const untrusted = socket.authorizationError && `the client's certificate: ${socket.authorizationError}`;
    // A probe of the port connects and leaves.
    if (err.code === 'ECONNRESET' && !untrusted) return;
    refused(socket.remoteAddress, `the TLS handshake failed: ${untrusted || err.message}`);
  });
}
