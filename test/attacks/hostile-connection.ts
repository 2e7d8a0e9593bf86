import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { preface, settings } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import { FrameCounter, type Seen } from './frame-counter.ts';

/** A client that sends whatever it is told, as fast as it can, and only counts what comes back. */
export interface HostileConnection extends AsyncDisposable {
  readonly socket: Socket;
  /** What has come of it so far. */
  readonly seen: Seen;
  readonly isOpen: boolean;
  /** Resolves when the system has room for more; also when the connection has ended. */
  send(...octets: readonly Uint8Array[]): Promise<void>;
  /** Sends up to so many pieces in packets, until it is told to go away. @returns how many were sent */
  flood(times: number, piece: (index: number) => Uint8Array): Promise<number>;
  /** Sends them octet by octet, with a pause before each, until the connection ends. */
  drip(octets: Uint8Array, pauseMs: number): Promise<void>;
  /** Begins to read, where it did not. */
  read(): void;
  /** Frames of a type that have come. */
  count(type: string): number;
  /** When so many responses have come to their end, whatever their status. */
  answered(responses: number): Promise<unknown>;
  ended(): Promise<unknown>;
}

export interface HostileOptions {
  /** Pairs of the SETTINGS behind the preface; `none` sends neither. */
  readonly settings?: readonly (readonly [number, number])[] | 'none';
  /** Whether it reads what it is sent: yes unless told otherwise. */
  readonly reads?: boolean;
  /** It does not close its side when the service has closed the other. */
  readonly staysHalfOpen?: boolean;
}

/** Sent in one piece, so that it arrives in few reads. */
const packetOctets = 65_536;

/** @param address `host:port` */
export async function connectHostile(
  address: string,
  { settings: pairs = [], reads = true, staysHalfOpen = false }: HostileOptions = {},
): Promise<HostileConnection> {
  const at = address.lastIndexOf(':');
  const where = { host: address.slice(0, at), port: Number(address.slice(at + 1)) };
  const socket = net.connect({ ...where, noDelay: true, allowHalfOpen: staysHalfOpen });
  const counter = new FrameCounter();
  let isOpen = true;
  let octetsSent = 0;
  socket.on('error', () => {});
  socket.once('close', () => {
    isOpen = false;
  });
  const read = () => {
    socket.on('data', (chunk: Buffer) => counter.add(chunk));
    socket.resume();
  };
  if (reads) read();
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve).once('close', () => resolve());
  });

  async function send(...parts: readonly Uint8Array[]): Promise<void> {
    if (!socket.writable) return turn();
    const octets = Buffer.concat(parts);
    octetsSent += octets.length;
    if (socket.write(octets)) return turn();
    await new Promise<void>((resolve) => {
      const done = () => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.once('drain', done).once('close', done);
    });
  }

  async function flood(times: number, piece: (index: number) => Uint8Array): Promise<number> {
    let sent = 0;
    while (sent < times && socket.writable && counter.goaway === undefined) {
      const packet: Uint8Array[] = [];
      for (let octets = 0; octets < packetOctets && sent < times; sent += 1) {
        const next = piece(sent);
        octets += next.length;
        packet.push(next);
      }
      await send(...packet);
    }
    return sent;
  }

  async function drip(octets: Uint8Array, pauseMs: number): Promise<void> {
    for (let index = 0; index < octets.length && isOpen; index += 1) {
      await sleep(pauseMs);
      await send(octets.subarray(index, index + 1));
    }
  }

  const ended = () => waitUntil('the hostile connection to end', () => !isOpen);
  if (pairs !== 'none') await send(preface, settings(...pairs));
  return {
    socket,
    get isOpen() {
      return isOpen;
    },
    get seen() {
      return counter.seen(octetsSent);
    },
    count: (type) => counter.received[type] ?? 0,
    answered: (responses) => waitUntil(`${responses} answers`, () => counter.responses >= responses),
    send,
    flood,
    drip,
    read,
    ended,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await ended();
    },
  };
}

/** Lets the loop turn once: what has come is seen, and others in this process get their share. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
