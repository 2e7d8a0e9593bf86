import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { waitUntil } from './wait-until.ts';

/** A TCP connection that says what a test wants, and no more. */
export interface RawConnection {
  readonly socket: Socket;
  /** What has come so far. */
  text(): string;
  isClosed(): boolean;
  /** Resolves with all that came when the other side has closed it. */
  untilClosed(): Promise<string>;
  /** Sends a text octet by octet, again and again, until the connection is closed. */
  dripUntilClosed(text: string): Promise<string>;
}

/** Connects; the connection ends with the test. */
export async function connectRaw(address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(`http://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  let text = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  await waitUntil('the connection', () => isClosed || socket.readyState === 'open');
  const untilClosed = async () => {
    await waitUntil('the end of the connection', () => isClosed);
    return text;
  };
  return {
    socket,
    text: () => text,
    isClosed: () => isClosed,
    untilClosed,
    async dripUntilClosed(octets) {
      for (let i = 0; !isClosed; i = (i + 1) % octets.length) {
        socket.write(octets.charAt(i));
        await sleep(2);
      }
      return text;
    },
  };
}

/** One request in a single write, on a connection of its own: what came until the other side closed it. */
export async function sendRaw(address: string, request: string): Promise<string> {
  const connection = await connectRaw(address);
  connection.socket.write(request, 'latin1');
  return connection.untilClosed();
}
