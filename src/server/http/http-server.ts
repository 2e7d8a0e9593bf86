import type { FailureCode } from '../../domain/decision.ts';
import type { HeaderNames } from '../../domain/limit-headers.ts';
import type { RequestBounds } from '../../domain/request-bounds.ts';
import type { Health } from '../../health.ts';
import type { CallListener } from '../call-listener.ts';
import type { Decider } from '../decider.ts';
import type { DecisionTracer } from '../decision-tracer.ts';
import type { ProtoRegistry } from '../proto-registry.ts';
import { addCheckRoute } from './check-route.ts';
import { addHealthRoutes } from './health-routes.ts';
import { type HttpListener, type HttpListenerOptions, listenHttp } from './http-listener.ts';
import { createJsonCodec } from './json-codec.ts';
import { addJsonRoute } from './json-route.ts';
import { addMetricsRoute, type MetricsText } from './metrics-route.ts';

export interface HttpServerOptions extends HttpListenerOptions {
  readonly decider: Decider;
  /** Has the messages of `/json`. */
  readonly registry: ProtoRegistry;
  /** Of a body; beyond them it is not read. */
  readonly bounds: RequestBounds;
  /** Of the answers of `/check`. */
  readonly limitHeaders: HeaderNames;
  /** Told of each request that became no RateLimitRequest, and so no decision. */
  readonly onRefusal: (code: FailureCode) => void;
  readonly health: Health;
  readonly metricsText: () => Promise<MetricsText>;
  readonly onCall: CallListener;
  /** undefined: no traces. */
  readonly tracer?: DecisionTracer | undefined;
}

/** The main HTTP listener: `/json`, `/check`, `/healthcheck`, `/livez`, `/readyz`, `/metrics`. */
export function startHttpServer(options: HttpServerOptions): Promise<HttpListener> {
  const codec = createJsonCodec(options);
  return listenHttp(options, (app) => {
    addJsonRoute(app, codec, options);
    addCheckRoute(app, options);
    addHealthRoutes(app, options.health);
    addMetricsRoute(app, '/metrics', options.metricsText);
  });
}
