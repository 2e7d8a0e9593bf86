import type { CounterAdministration } from '../counter-administration.ts';
import type { TokenCheck } from './bearer-token.ts';
import { addCountersRoutes } from './counters-route.ts';
import { guardPages } from './debug-access.ts';
import { type HttpListener, type HttpListenerOptions, type HttpTls, listenHttp } from './http-listener.ts';
import type { JsonCodec } from './json-codec.ts';

export interface DebugServerOptions extends HttpListenerOptions {
  /** Undefined: plain text. With an authority for clients, only those that it signed get in. */
  readonly tls: HttpTls | undefined;
  /** Undefined: nobody is asked for a token. */
  readonly token: TokenCheck | undefined;
  /** Nothing but the address keeps others away: requests for other hosts' names are refused. */
  readonly onlyThisMachine: boolean;
  /** The limits in force, a line each. */
  readonly rlconfig: () => string;
  readonly counters: CounterAdministration;
  readonly codec: JsonCodec;
}

const counterPages = {
  '/counters/get': { help: 'POST {domain, descriptor}: the counters of a descriptor' },
  '/counters/grant': { help: 'POST {domain, descriptor, hits}: gives hits beyond what was used' },
  '/counters/reset': { help: 'POST {domain, descriptor}: as if nobody had come' },
};

/**
 * The debug listener, for people: `/` says what there is. It shows the rules to whoever can reach it and has what it asks
 * for. Counters are shown to and changed by those alone who have proven who they are. There is no page that measures the process.
 */
export function startDebugServer(options: DebugServerOptions): Promise<HttpListener> {
  const pages: Readonly<Record<string, { help: string; text: () => string }>> = {
    '/': { help: 'this list', text: () => index },
    '/rlconfig': { help: 'the limits in force, one a line', text: options.rlconfig },
  };
  const index = [...Object.entries(pages), ...Object.entries(counterPages)]
    .map(([path, { help }]) => `${path}: ${help}\n`)
    .sort()
    .join('');

  return listenHttp(
    options,
    (app) => {
      guardPages(app, { ...options, clientsAreKnown: options.tls?.files.clientCaFile !== undefined });
      for (const [path, { text }] of Object.entries(pages)) {
        app.get(path, (_request, reply) => reply.type('text/plain').send(text()));
      }
      addCountersRoutes(app, options.codec, options.counters);
    },
    options.tls,
  );
}
