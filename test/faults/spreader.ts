import { createServer, connect as openSocket, type Socket } from 'node:net';

/** Gives each new connection to the next of its targets, as a balancer of layer 4 does. */
export interface Spreader extends AsyncDisposable {
  readonly port: number;
  /** Ports of the loopback address. */
  targets: readonly number[];
}

export async function startSpreader(targets: readonly number[]): Promise<Spreader> {
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer((client) => {
    const port = spreader.targets[next % spreader.targets.length] ?? 0;
    next += 1;
    const upstream = openSocket(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const spreader: Spreader = {
    port,
    targets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return spreader;
}
