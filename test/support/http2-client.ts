import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { type Frame, preface, readFrames, settings } from './http2-frames.ts';
import { waitUntil } from './wait-until.ts';

/** A client that sends what it is told, octet by octet, and keeps what comes back. */
export interface Http2Client extends AsyncDisposable {
  readonly socket: Socket;
  /** All frames that have come so far. */
  readonly frames: Frame[];
  /** Everything that has come so far. */
  readonly octets: Buffer;
  readonly isClosed: boolean;
  send(...octets: readonly Uint8Array[]): void;
  /** The first frame that is so, when it has come; also one that came before. */
  frame(what: string, isIt: (frame: Frame) => boolean): Promise<Frame>;
  closed(): Promise<unknown>;
}

export interface Http2ClientOptions {
  /** Sends the preface and SETTINGS: yes unless told otherwise. */
  readonly greet?: boolean;
  readonly tls?: boolean;
}

/** @param address `host:port` */
export async function connectHttp2(address: string, options: Http2ClientOptions = {}): Promise<Http2Client> {
  const [host = '127.0.0.1', port] = address.split(/:(?=\d+$)/);
  const where = { host, port: Number(port) };
  const socket =
    options.tls === true
      ? tls.connect({ ...where, ALPNProtocols: ['h2'], rejectUnauthorized: false })
      : net.connect(where);
  const frames: Frame[] = [];
  let octets = Buffer.alloc(0);
  let unread = Buffer.alloc(0);
  let isClosed = false;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('data', (chunk: Buffer) => {
    octets = Buffer.concat([octets, chunk]);
    unread = Buffer.concat([unread, chunk]);
    const read = readFrames(unread);
    frames.push(...read.frames);
    unread = Buffer.from(unread.subarray(read.length));
  });
  await new Promise((resolve) => socket.once(options.tls === true ? 'secureConnect' : 'connect', resolve));
  if (options.greet !== false) socket.write(Buffer.concat([preface, settings()]));
  const closed = () => waitUntil('the connection to end', () => isClosed);
  return {
    socket,
    frames,
    get octets() {
      return octets;
    },
    get isClosed() {
      return isClosed;
    },
    send: (...parts) => {
      socket.write(Buffer.concat(parts));
    },
    async frame(what, isIt) {
      await waitUntil(what, () => frames.some(isIt));
      return frames.find(isIt) as Frame;
    },
    closed,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await closed();
    },
  };
}
