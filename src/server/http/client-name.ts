import type { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';

/** Whom the client's certificate names; undefined without one. */
export function clientName({ raw: { socket } }: FastifyRequest): string | undefined {
  const certificate = (socket as Partial<TLSSocket>).getPeerX509Certificate?.();
  return certificate?.subject.replaceAll('\n', ', ');
}
