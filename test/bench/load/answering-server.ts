import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A call as an independent implementation of HTTP/2 has understood it. */
export interface ReceivedCall {
  readonly stream: ServerHttp2Stream;
  readonly session: ServerHttp2Session;
  readonly headers: IncomingHttpHeaders;
  /** The DATA: a message of gRPC with its head. */
  readonly body: Buffer;
}

export interface AnsweringServer extends AsyncDisposable {
  readonly port: number;
  readonly calls: readonly ReceivedCall[];
}

/** An `overall_code` of OK, as a message of gRPC. */
export const okMessage = Buffer.from('00000000020801', 'hex');

/** A server of `node:http2` in this process, for tests of the load generator. */
export async function startAnsweringServer(
  answer: (call: ReceivedCall) => void,
  options: ServerOptions = {},
): Promise<AnsweringServer> {
  const calls: ReceivedCall[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(options);
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('stream', async (stream, headers) => {
      stream.on('error', () => undefined); // a client that is done hangs up
      const call = { stream, session, headers, body: await buffer(stream) };
      calls.push(call);
      answer(call);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    [Symbol.asyncDispose]: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers as a gRPC server does: headers, message, trailers. */
export function answerWith({ stream }: ReceivedCall, message: Buffer, grpcStatus = '0'): void {
  if (stream.destroyed) return;
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': grpcStatus }));
  stream.end(message);
}

/** Answers as a gRPC server does that has no message, only an error. */
export function failWith({ stream }: ReceivedCall, grpcStatus: string): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': grpcStatus };
  stream.respond(headers, { endStream: true });
}
