import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { createGrpcTransport, type GrpcTransport } from '../../transport/grpc-transport.ts';
import type { TransportListener } from '../../transport/transport-event.ts';
import type { TransportLimits } from '../../transport/transport-limits.ts';
import type { CallListener } from '../call-listener.ts';
import { type ListenAddress, type ListenerTls, listen, type SocketListener } from '../socket-listener.ts';
import { createGrpcJsTransport } from './grpc-js-transport.ts';
import type { AnyGrpcMethod } from './grpc-method.ts';
import { createHandlers } from './method-handlers.ts';

export interface GrpcServerOptions {
  readonly methods: readonly AnyGrpcMethod[];
  /** `native` is Weir's own; grpc-js is there to turn to. */
  readonly transport: 'native' | 'grpc-js';
  readonly address: ListenAddress;
  /** Undefined: plain text. */
  readonly tls: ListenerTls | undefined;
  /** How often the files of `tls` are looked at. */
  readonly tlsReloadIntervalMs: number;
  readonly limits: TransportLimits;
  /**
   * After this time (10 % more or less) a connection gets GOAWAY, so that a client behind a virtual IP moves on to
   * replicas that are new. 0: never.
   */
  readonly maxConnectionAgeMs: number;
  /** What calls on such a connection then have to end. 0: all the time they need. */
  readonly maxConnectionAgeGraceMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onCall: CallListener;
  readonly onTransportEvent: TransportListener;
  /** Header fields that methods want to know, in lower case; undefined: none. */
  readonly keptFields?: ReadonlySet<string> | undefined;
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
  const { clock, log } = options;
  const transport = createTransport(options);
  const listener = await listen({
    address: options.address,
    tls: options.tls,
    tlsReloadIntervalMs: options.tlsReloadIntervalMs,
    clock,
    log,
    onConnection: (socket, provenNames) => transport.accept(socket, provenNames),
  });
  return {
    address: listener.address,
    port: listener.port,
    stop: (deadlineMs) => drain(transport, listener, deadlineMs),
  };
}

function createTransport(options: GrpcServerOptions): GrpcTransport {
  const { clock } = options;
  const transportOptions = {
    handlers: createHandlers(options.methods, options),
    limits: options.limits,
    maxConnectionAgeMs: options.maxConnectionAgeMs,
    maxConnectionAgeGraceMs: options.maxConnectionAgeGraceMs,
    now: () => clock.monotonic(),
    onEvent: options.onTransportEvent,
    keptFields: options.keptFields,
  };
  return options.transport === 'native'
    ? createGrpcTransport(transportOptions)
    : createGrpcJsTransport(transportOptions, clock);
}

async function drain(
  transport: GrpcTransport,
  listener: SocketListener,
  deadlineMs: number,
): Promise<'drained' | 'forced'> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<'forced'>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, 'forced');
  });
  const drained = listener.close().then(() => 'drained' as const);
  transport.drain();
  const outcome = await Promise.race([drained, deadline]);
  clearTimeout(timer);
  if (outcome === 'forced') listener.destroyConnections();
  return outcome;
}
