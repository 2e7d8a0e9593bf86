import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A request that reached the upstream. */
export interface UpstreamRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** The service behind Envoy: answers 200 to everything. */
export interface Upstream extends AsyncDisposable {
  readonly address: string;
  /** What reached it, in order. */
  readonly requests: readonly UpstreamRequest[];
  /** Added to the answers from now on. */
  setHeaders(headers: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  let headers: Readonly<Record<string, string>> = {};
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers });
    response.writeHead(200, headers).end('upstream');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {
    address: `127.0.0.1:${(server.address() as { port: number }).port}`,
    requests,
    setHeaders: (next) => {
      headers = next;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
