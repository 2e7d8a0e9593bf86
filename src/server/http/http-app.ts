import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { createFaultLog } from '../fault-log.ts';
import type { TlsMaterial } from '../tls-files.ts';
import { tlsServerOptions } from '../tls-server.ts';
import { createDueAnswers } from './due-answers.ts';
import type { HttpLimits } from './http-limits.ts';

export interface HttpAppOptions {
  readonly limits: HttpLimits;
  /** Undefined: plain text. */
  readonly tls: TlsMaterial | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A server without routes, which keeps to the limits of a request and says in plain text what it refuses. */
export function createHttpApp({ limits, tls, clock, log }: HttpAppOptions): FastifyInstance {
  const server = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
  };
  const app = fastify({
    bodyLimit: limits.maxBodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // A path that can't be decoded.
    frameworkErrors: (err, _request, reply) => refuse(reply, 400, err.message),
    clientErrorHandler: refuseClient,
    ...(tls === undefined
      ? { http: server }
      : { https: { ...server, ...tlsServerOptions(tls, limits.handshakeTimeoutMs) } }),
  }) as FastifyInstance;
  keepToLimits(app, limits);
  readBodiesAsOctets(app);
  const logFault = createFaultLog(log, clock);
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'not found'));
  app.setErrorHandler<FastifyError>((err, request, reply) => {
    const status = err.statusCode ?? 500;
    if (status < 500) return refuse(reply, status, err.message);
    logFault({ err, path: request.routeOptions.url });
    return refuse(reply, 500, 'internal error');
  });
  return app;
}

/** What Node and fastify do not bound by themselves. */
function keepToLimits(app: FastifyInstance, limits: HttpLimits): void {
  const isWorthAnAnswer = createDueAnswers(limits);
  // Node forgets further fields and goes on; one more than is allowed tells that there were too many.
  app.server.maxHeadersCount = limits.maxHeaderFields + 1;
  app.addHook('onRequest', (request, reply, done) => {
    if (!isWorthAnAnswer(request.raw.socket, reply.raw)) {
      reply.hijack();
      return;
    }
    if (request.raw.rawHeaders.length <= 2 * limits.maxHeaderFields) return done();
    refuse(reply.header('connection', 'close'), 431, 'too many header fields');
  });
}

/** Bodies are octets whatever their content type says, even if it is none, and GET may have one. */
function readBodiesAsOctets(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.raw.headers['content-type'] = 'application/octet-stream';
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
}

/** Answers in plain text. */
export function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type('text/plain').send(`${message}\n`);
}

/** What Node says of a connection that sends no request; anything else is 400. */
const clientErrors: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** The last word on a connection that sends no request, or not in time. */
function refuseClient(err: NodeJS.ErrnoException, socket: Socket): void {
  const status = clientErrors[err.code ?? ''] ?? 400;
  if (socket.writable && err.code !== 'ECONNRESET') {
    const body = `${STATUS_CODES[status]?.toLowerCase()}\n`;
    const fields = `content-type: text/plain\r\ncontent-length: ${body.length}\r\nconnection: close`;
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields}\r\n\r\n${body}`);
  }
  socket.destroy();
}
