import type { Server, Socket } from 'node:net';

/** The connections of a server that are open, those in a TLS handshake included. */
export interface OpenSockets {
  destroyAll(): void;
}

/** To be called before the server listens. */
export function trackSockets(server: Server): OpenSockets {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    // A client that breaks off is no news; without a listener it would end the process.
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
  });
  return {
    destroyAll() {
      for (const socket of open) socket.destroy();
    },
  };
}
