import { setMaxListeners } from 'node:events';
import type { ServerOptions } from 'node:http2';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Clock } from '../../domain/clock.ts';
import type { GrpcTransport, GrpcTransportOptions } from '../../transport/grpc-transport.ts';
import { registerHandler } from './grpc-js-handlers.ts';

/** The same handlers on @grpc/grpc-js, which keeps limits of its own: of ours it knows the size of messages. */
export function createGrpcJsTransport(options: GrpcTransportOptions, clock: Clock): GrpcTransport {
  const stopping = new AbortController();
  // One listener for each open stream is no leak.
  setMaxListeners(0, stopping.signal);
  const server = new Server({
    'grpc.enable_channelz': 0,
    'grpc.max_receive_message_length': options.limits.maxMessageBytes,
    'grpc.max_send_message_length': -1,
    ...timerOption('grpc.max_connection_age_ms', options.maxConnectionAgeMs),
    ...timerOption('grpc.max_connection_age_grace_ms', options.maxConnectionAgeGraceMs),
  });
  tolerateResets(server);
  const { keptFields } = options;
  for (const handler of options.handlers)
    registerHandler(server, handler, { clock, stopping: stopping.signal, keptFields });
  // grpc-js gets connections that may speak; sockets, certificates and the admission of clients are not its business.
  const connections = server.createConnectionInjector(ServerCredentials.createInsecure());
  return {
    accept(socket) {
      if (stopping.signal.aborted) {
        socket.destroy();
        return;
      }
      options.onEvent({ kind: 'connection-opened' });
      socket.once('close', () => options.onEvent({ kind: 'connection-closed' }));
      connections.injectConnection(socket);
    },
    drain() {
      stopping.abort();
      // Sends GOAWAY. Its callback comes before the connections have ended, so that is seen at the listener.
      server.tryShutdown(() => {});
    },
  };
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

function timerOption(name: string, ms: number): Record<string, number> {
  return ms === 0 ? {} : { [name]: ms };
}
