import { createServer, connect as openSocket, type Socket } from 'node:net';

/** A TCP proxy that can cut a connection when the server's answer has come and before the client sees it, or fall silent. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Share of answers, 0 to 1, at which the connection is cut instead. */
  cutShare: number;
  /** Connections cut so far. */
  readonly cuts: number;
  /** true: nothing gets through any more, and nobody is told: the other end is gone without a word. */
  isSilent: boolean;
  /** Ends all connections, in both directions. */
  cutAll(): void;
  /** Where connections go from now on. */
  target: number;
  stop(): Promise<void>;
}

/** @param target a port of the loopback address; may be set later */
export async function startCuttingProxy(target = 0): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = openSocket(proxy.target, '127.0.0.1');
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    // One that was silent once has lost octets and stays useless.
    let isDeaf = false;
    const hears = () => {
      isDeaf ||= proxy.isSilent;
      return !isDeaf;
    };
    client.on('data', (request) => hears() && upstream.write(request));
    upstream.on('data', (answer) => {
      if (!hears()) return;
      if (Math.random() < proxy.cutShare) {
        cuts += 1;
        cut();
      } else client.write(answer);
    });
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const stop = async () => {
    proxy.cutAll();
    await new Promise((resolve) => server.close(resolve));
  };
  const proxy: CuttingProxy = {
    port,
    target,
    cutShare: 0,
    isSilent: false,
    get cuts() {
      return cuts;
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
  return proxy;
}
