import type { AddressInfo } from 'node:net';
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { createFaultLog } from '../fault-log.ts';

export interface HttpListenerOptions {
  /** An address, not in brackets; empty takes every address of the machine. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Larger bodies get 413. */
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface HttpListener {
  /** As bound: `host:port` or `[host]:port`. */
  readonly address: string;
  readonly port: number;
  /** Takes no more connections and lets requests end; what is left at the deadline is cut. */
  stop(deadlineMs: number): Promise<void>;
}

/** A request has to be complete in this time. */
const requestTimeoutMs = 30_000;

/** Binds a plain HTTP/1.1 listener with these routes; anything else is 404. Rejects when it can't bind. */
export async function listenHttp(
  options: HttpListenerOptions,
  routes: (app: FastifyInstance) => void,
): Promise<HttpListener> {
  const { host, port } = options;
  const logFault = createFaultLog(options.log, options.clock);
  const app = fastify({
    bodyLimit: options.maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    // A path that can't be decoded.
    frameworkErrors: (err, _request, reply) => refuse(reply, 400, err.message),
  });
  // Bodies are octets whatever their content type says, even if it is none, and GET may have one.
  app.addHook('onRequest', (request, _reply, done) => {
    request.raw.headers['content-type'] = 'application/octet-stream';
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'not found'));
  app.setErrorHandler<FastifyError>((err, request, reply) => {
    const status = err.statusCode ?? 500;
    if (status < 500) return refuse(reply, status, err.message);
    logFault({ err, path: request.routeOptions.url });
    return refuse(reply, 500, 'internal error');
  });
  routes(app);
  await app.listen({ host, port });
  const bound = app.server.address() as AddressInfo;
  return {
    address: bound.family === 'IPv6' ? `[${bound.address}]:${bound.port}` : `${bound.address}:${bound.port}`,
    port: bound.port,
    async stop(deadlineMs) {
      const timer = setTimeout(() => app.server.closeAllConnections(), deadlineMs);
      await app.close();
      clearTimeout(timer);
    },
  };
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type('text/plain').send(`${message}\n`);
}
