import type { Socket } from 'node:net';
import type { ChannelCredentials } from '@grpc/grpc-js';

/** The sockets that a channel's connections were made on. */
export interface ChannelSockets {
  /** Closes those that are left. */
  close(): void;
}

/**
 * Sees the sockets of a channel: when one is closed while it connects, the library lets go of a socket whose peer never says
 * anything, and leaves it open. To be called before the credentials are given to a client.
 */
export function watchSockets(made: ChannelCredentials): ChannelSockets {
  const sockets = new Set<Socket>();
  const createConnector = made._createSecureConnector.bind(made);
  made._createSecureConnector = (...args) => {
    const connector = createConnector(...args);
    const connect = connector.connect.bind(connector);
    connector.connect = (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return connect(socket);
    };
    return connector;
  };
  return {
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
