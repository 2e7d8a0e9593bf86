import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** What it was answered with. */
  readonly status: number;
}

/** A web server of files, which knows ETags. */
export interface DocumentServer {
  /** `http://127.0.0.1:port`, or https. */
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Puts a file at a path; undefined takes it away, and `gone` says that this is meant (410). */
  set(path: string, text: string | 'gone' | undefined, headers?: Readonly<Record<string, string>>): void;
  /** Has everything be answered by this instead of from the files; undefined: from the files again. */
  answerWith(listener: RequestListener | undefined): void;
  stop(): Promise<void>;
}

export interface DocumentServerOptions {
  /** Of 127.0.0.1; a free one unless given. */
  readonly port?: number;
  readonly tls?: ServerOptions;
}

interface Document {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function startDocumentServer(options: DocumentServerOptions = {}): Promise<DocumentServer> {
  const documents = new Map<string, Document>();
  const requests: SeenRequest[] = [];
  let instead: RequestListener | undefined;

  const listener: RequestListener = (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    requests.push({
      path,
      headers: request.headers,
      get status() {
        return response.statusCode;
      },
    });
    if (instead !== undefined) return void instead(request, response);
    const document = documents.get(path);
    if (document === undefined) return void response.writeHead(404).end('nothing here');
    if (document.text === 'gone') return void response.writeHead(410).end();
    const etag = `"${createHash('sha256').update(document.text).digest('hex').slice(0, 16)}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : 200, { etag, ...document.headers });
    response.end(isKnown ? undefined : document.text);
  };
  const { tls } = options;
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  const port = await listen(server, options.port ?? 0);
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    set(path, text, headers = {}) {
      if (text === undefined) documents.delete(path);
      else documents.set(path, { text, headers });
    },
    answerWith(listener) {
      instead = listener;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
