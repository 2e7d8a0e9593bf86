import { type HttpListener, type HttpListenerOptions, listenHttp } from './http-listener.ts';
import { addMetricsRoute, type MetricsText } from './metrics-route.ts';

export interface MetricsServerOptions extends HttpListenerOptions {
  /** `PROMETHEUS_PATH`. */
  readonly path: string;
  readonly metricsText: () => Promise<MetricsText>;
}

/** The listener of `PROMETHEUS_ADDR`: metrics and nothing else. */
export function startMetricsServer(options: MetricsServerOptions): Promise<HttpListener> {
  return listenHttp(options, (app) => addMetricsRoute(app, options.path, options.metricsText));
}
