import { handshakeTimeoutMs } from '../tls-server.ts';

/** What a client of an HTTP listener may cost. Beyond a limit its request or its connection ends, and others go on. */
export interface HttpLimits {
  /** Connections of a listener; further ones are closed at once. */
  readonly maxConnections: number;
  /** Bytes of a body; larger ones get 413. */
  readonly maxBodyBytes: number;
  /** Bytes of a request's line and fields; more get 431. */
  readonly maxHeaderBytes: number;
  /** Fields of a request; more get 431. */
  readonly maxHeaderFields: number;
  /** Requests that one connection may have sent ahead of their answers; with more it is closed. */
  readonly maxPipelined: number;
  /** From the connection to the end of TLS's handshake. */
  readonly handshakeTimeoutMs: number;
  /** From the connection, or the first octet of a request, to the end of the fields; after it comes 408. */
  readonly headersTimeoutMs: number;
  /** From the same moment to the end of the body; after it comes 408. */
  readonly requestTimeoutMs: number;
  /** From the fields of a request to the end of its answer, or from the answer before; then the connection is closed. */
  readonly answerTimeoutMs: number;
  /** How long a connection without a request stays open. */
  readonly keepAliveTimeoutMs: number;
  /** How often Node looks for requests that are late; until then they have time. */
  readonly checkIntervalMs: number;
}

/** Those that no setting changes. */
export const httpLimits = {
  // Node's own default, and that of gRPC here. Without a word it would follow NODE_OPTIONS.
  maxHeaderBytes: 16_384,
  // As for gRPC. Node itself would forget what is beyond 2,000 and go on.
  maxHeaderFields: 128,
  // Hardly any client sends a second request before its first answer, and proxies none.
  maxPipelined: 16,
  handshakeTimeoutMs,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // The body may take half of it, a decision a fraction of a second. Who reads nothing holds its answers until then.
  answerTimeoutMs: 60_000,
  // Longer than the minute that load balancers keep connections, so that they close first and no request meets an end.
  keepAliveTimeoutMs: 72_000,
  checkIntervalMs: 1_000,
} as const satisfies Omit<HttpLimits, 'maxConnections' | 'maxBodyBytes'>;
