import { setMaxListeners } from 'node:events';
import type { ServerOptions } from 'node:http2';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import type { CallListener } from '../call-listener.ts';
import { type ListenAddress, type ListenerTls, listen, type SocketListener } from '../socket-listener.ts';
import { createCallRunner } from './call-runner.ts';
import { registerMethod } from './grpc-js-methods.ts';
import type { AnyGrpcMethod } from './grpc-method.ts';

export interface GrpcServerOptions {
  readonly methods: readonly AnyGrpcMethod[];
  readonly address: ListenAddress;
  /** Undefined: plain text. */
  readonly tls: ListenerTls | undefined;
  /** How often the files of `tls` are looked at. */
  readonly tlsReloadIntervalMs: number;
  /** Larger requests get RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
  /**
   * After this time (10 % more or less) a connection gets GOAWAY, so that a client behind a virtual IP moves on to
   * replicas that are new. 0, or from 20 days: never.
   */
  readonly maxConnectionAgeMs: number;
  /** What calls on such a connection then have to end. 0, or from 20 days: all the time they need. */
  readonly maxConnectionAgeGraceMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onCall: CallListener;
}

export interface GrpcServer {
  /** As bound; see {@link SocketListener}. */
  readonly address: string;
  readonly port: number;
  /**
   * Takes no more connections, sends GOAWAY, ends streams, lets calls end. What is left at the deadline is cut.
   * @param deadlineMs from now
   */
  stop(deadlineMs: number): Promise<'drained' | 'forced'>;
}

/** Starts the gRPC listener. Rejects when it can't bind or the certificates can't be used. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const stopping = new AbortController();
  // One listener for each open stream is no leak.
  setMaxListeners(0, stopping.signal);
  const server = createGrpcJsServer(options, stopping.signal);
  // Sockets, certificates and the admission of clients are Weir's own; grpc-js gets connections that may speak.
  const connections = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await listen({
    address: options.address,
    tls: options.tls,
    tlsReloadIntervalMs: options.tlsReloadIntervalMs,
    clock: options.clock,
    log: options.log,
    onConnection(socket) {
      if (stopping.signal.aborted) socket.destroy();
      else connections.injectConnection(socket);
    },
  });
  return {
    address: listener.address,
    port: listener.port,
    stop(deadlineMs) {
      stopping.abort();
      return drain(server, listener, deadlineMs);
    },
  };
}

function createGrpcJsServer(options: GrpcServerOptions, stopping: AbortSignal): Server {
  const { clock } = options;
  const server = new Server({
    'grpc.enable_channelz': 0,
    'grpc.max_receive_message_length': options.maxMessageBytes,
    'grpc.max_send_message_length': -1,
    ...timerOption('grpc.max_connection_age_ms', options.maxConnectionAgeMs),
    ...timerOption('grpc.max_connection_age_grace_ms', options.maxConnectionAgeGraceMs),
  });
  tolerateResets(server);
  const runner = createCallRunner(options);
  for (const method of options.methods) registerMethod(server, method, { runner, clock, stopping });
  return server;
}

/**
 * When a store is slow, Envoy resets up to 1024 calls of a connection at once, and again after its next timeout. Node takes
 * more than 1000 resets at once, or 33 a second, for an attack and ends the connection, with all other calls on it.
 * grpc-js has no option for that, so it is set where it keeps its options of `http2.createServer`.
 */
function tolerateResets(server: Server): void {
  const { commonServerOptions } = server as unknown as { readonly commonServerOptions: ServerOptions };
  commonServerOptions.streamResetBurst = 100_000;
  commonServerOptions.streamResetRate = 50_000;
}

/** A timer of Node ends at once when set to more than 2^31 ms (24.8 days); with 10 % jitter, 20 days are safe. */
const longestTimerMs = 20 * 86_400_000;

function timerOption(name: string, ms: number): Record<string, number> {
  return ms === 0 || ms >= longestTimerMs ? {} : { [name]: ms };
}

async function drain(
  server: Server,
  listener: SocketListener,
  deadlineMs: number,
): Promise<'drained' | 'forced'> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<'forced'>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, 'forced');
  });
  const drained = listener.close().then(() => 'drained' as const);
  // Sends GOAWAY. Its callback comes before the connections have ended, so that is seen at the listener.
  server.tryShutdown(() => {});
  const outcome = await Promise.race([drained, deadline]);
  clearTimeout(timer);
  if (outcome === 'forced') {
    server.forceShutdown();
    listener.destroyConnections();
  }
  return outcome;
}
