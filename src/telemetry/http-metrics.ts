import type { Registry } from 'prom-client';
import { registerFamily, samplesOf } from './metric-family.ts';

/** The listeners that speak HTTP/1.1. */
export type HttpListenerName = 'http' | 'debug' | 'metrics';

/** What the HTTP listeners turned away before there was a request. */
export class HttpMetrics {
  readonly #refused: Record<HttpListenerName, number> = { http: 0, debug: 0, metrics: 0 };

  constructor(registry: Registry) {
    registerFamily(registry, {
      name: 'weir_http_connections_refused_total',
      help: 'Connections that were closed at once since the listener had HTTP_MAX_CONNECTIONS already.',
      type: 'counter',
      read: () => samplesOf('listener', this.#refused),
    });
  }

  addRefusedConnection(listener: HttpListenerName): void {
    this.#refused[listener] += 1;
  }
}
