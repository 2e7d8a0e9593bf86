import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';

/** A statsd server of a test: it takes lines, and knows nothing of who writes them. */
export interface StatsdReceiver extends AsyncDisposable {
  readonly port: number;
  /** As they came. */
  readonly lines: readonly string[];
  /** What all counters with this name add up to. */
  total(name: string): number;
}

/** @param port a free one unless given */
export function receiveStatsd(protocol: 'tcp' | 'udp', port = 0): Promise<StatsdReceiver> {
  return protocol === 'tcp' ? receiveTcp(port) : receiveUdp(port);
}

async function receiveUdp(port: number): Promise<StatsdReceiver> {
  const lines: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (datagram) => lines.push(...datagram.toString().split('\n')));
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  return receiver(socket.address().port, lines, () => new Promise((resolve) => socket.close(resolve)));
}

async function receiveTcp(port: number): Promise<StatsdReceiver> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (octets) => {
      const parts = (rest + octets.toString()).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return receiver((server.address() as { port: number }).port, lines, stop);
}

function receiver(port: number, lines: readonly string[], stop: () => Promise<void>): StatsdReceiver {
  return {
    port,
    lines,
    total(name) {
      const own = lines.filter((line) => line.startsWith(`${name}:`) && /\|c(\||$)/.test(line));
      return own.reduce((sum, line) => sum + Number(line.slice(name.length + 1).split('|')[0]), 0);
    },
    [Symbol.asyncDispose]: stop,
  };
}
