import type { Socket } from 'node:net';
import { Connection } from './connection.ts';
import { FlushQueue } from './flush-queue.ts';
import { createGrpcRequests } from './grpc/grpc-requests.ts';
import type { GrpcHandler } from './handler.ts';
import { ReadTurns } from './read-turns.ts';
import type { TransportListener } from './transport-event.ts';
import type { TransportLimits } from './transport-limits.ts';

export interface GrpcTransportOptions {
  readonly handlers: readonly GrpcHandler[];
  readonly limits: TransportLimits;
  /** A connection gets GOAWAY after this time, 10 % more or less, in ms. 0: never. */
  readonly maxConnectionAgeMs: number;
  /** What calls on such a connection then have to end, in ms. 0: all the time they need. */
  readonly maxConnectionAgeGraceMs: number;
  /** Monotonic, in ms: the time of deadlines. */
  readonly now: () => number;
  readonly onEvent: TransportListener;
  /** Header fields that handlers want to know ({@link UnaryCall.fields}), in lower case; none unless given. */
  readonly keptFields?: ReadonlySet<string> | undefined;
}

/** Serves gRPC calls on sockets that somebody else accepts: plain ones, or after their TLS handshake (ALPN `h2`). */
export interface GrpcTransport {
  /** @param provenNames what handlers may know the client by; none unless given */
  accept(socket: Socket, provenNames?: readonly string[]): void;
  /** Asks all clients to leave, and lets calls end. */
  drain(): void;
}

/** How often all that must not take too long is looked at. No call has a timer of its own. */
const tickMs = 1_000;

export function createGrpcTransport(options: GrpcTransportOptions): GrpcTransport {
  const { limits, now, onEvent } = options;
  const handlers = new Map(options.handlers.map((handler) => [handler.path, handler]));
  const connections = new Set<Connection>();
  const flushQueue = new FlushQueue();
  const readTurns = new ReadTurns();
  let ticker: NodeJS.Timeout | undefined;
  let isDraining = false;

  function tick(): void {
    const time = now();
    for (const connection of connections) connection.tick(time);
  }

  function closed(connection: Connection): void {
    connections.delete(connection);
    onEvent({ kind: 'connection-closed' });
    if (connections.size > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  }

  return {
    accept(socket, provenNames) {
      if (isDraining || socket.destroyed) {
        socket.destroy();
        return;
      }
      const connection = new Connection(socket, {
        limits,
        now,
        onRequest: createGrpcRequests(handlers, provenNames),
        onEvent,
        flushQueue,
        readTurns,
        maxAgeMs: options.maxConnectionAgeMs,
        maxAgeGraceMs: options.maxConnectionAgeGraceMs,
        onClosed: closed,
        keptFields: options.keptFields,
      });
      connections.add(connection);
      onEvent({ kind: 'connection-opened' });
      ticker ??= setInterval(tick, tickMs).unref();
    },
    drain() {
      isDraining = true;
      for (const connection of connections) connection.drain();
    },
  };
}
