import { type HttpListener, type HttpListenerOptions, listenHttp } from './http-listener.ts';

export interface DebugServerOptions extends HttpListenerOptions {
  /** The limits in force, a line each. */
  readonly rlconfig: () => string;
}

/**
 * The debug listener, for people: `/` says what there is. It shows the rules to whoever can reach it, so it is for
 * localhost unless somebody decides otherwise.
 */
export function startDebugServer(options: DebugServerOptions): Promise<HttpListener> {
  const pages: Readonly<Record<string, { help: string; text: () => string }>> = {
    '/': { help: 'this list', text: () => index },
    '/rlconfig': { help: 'the limits in force, one a line', text: options.rlconfig },
  };
  const index = Object.entries(pages)
    .map(([path, { help }]) => `${path}: ${help}\n`)
    .sort()
    .join('');

  return listenHttp(options, (app) => {
    for (const [path, { text }] of Object.entries(pages)) {
      app.get(path, (_request, reply) => reply.type('text/plain').send(text()));
    }
  });
}
