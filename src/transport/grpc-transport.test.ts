import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connectHttp2, type Http2ClientOptions } from '../../test/support/http2-client.ts';
import { ping } from '../../test/support/http2-frames.ts';
import { headers, paths, reply, wholeCall } from '../../test/support/http2-session.ts';
import { transportLimits } from '../../test/support/transport-limits.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { createGrpcTransport, type GrpcTransport } from './grpc-transport.ts';
import type { UnaryCall } from './handler.ts';
import type { TransportLimits } from './transport-limits.ts';

interface Server {
  readonly transport: GrpcTransport;
  /** `connection-opened`, or the fault that it was. */
  readonly events: string[];
  readonly calls: UnaryCall[];
  connect(options?: Http2ClientOptions): ReturnType<typeof connectHttp2>;
}

/** A transport on a free port, until the test ends. Calls are answered at once, or wait. */
async function start(limits: Partial<TransportLimits> = {}, isAnswering = true): Promise<Server> {
  const events: string[] = [];
  const calls: UnaryCall[] = [];
  const transport = createGrpcTransport({
    handlers: [
      {
        path: paths.unary,
        requestStream: false,
        responseStream: false,
        handle(_message, call) {
          calls.push(call);
          if (isAnswering) reply(call, 'x');
        },
      },
    ],
    limits: transportLimits(limits),
    maxConnectionAgeMs: 0,
    maxConnectionAgeGraceMs: 0,
    now: () => performance.now(),
    onEvent: (event) => events.push('fault' in event ? event.fault : event.kind),
  });
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    transport.accept(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const ended = new Promise((resolve) => server.close(resolve));
    await ended;
  });
  const { port } = server.address() as net.AddressInfo;
  return {
    transport,
    events,
    calls,
    async connect(options) {
      const client = await connectHttp2(`127.0.0.1:${port}`, options);
      onTestFinished(() => client[Symbol.asyncDispose]());
      return client;
    },
  };
}

it('sends SETTINGS to a client that says nothing before it has them', async () => {
  const server = await start();
  const client = await server.connect({ greet: false });
  await client.frame('SETTINGS', ({ type }) => type === 'SETTINGS');
  expect(client.octets.toString('latin1')).not.toContain('HTTP/1');
});

it('answers a client of HTTP/1 in its own words', async () => {
  const server = await start();
  const client = await server.connect({ greet: false });
  client.send(Buffer.from('GET / HTTP/1.1\r\nHost: weir\r\n\r\n'));
  await client.closed();
  expect(client.octets.toString('latin1')).toMatch(/^HTTP\/1\.1 400 .*gRPC.*\n$/s);
  await waitUntil('the end', () => server.events.includes('connection-closed'));
  expect(server.events).toEqual(['connection-opened', 'no-http2', 'connection-closed']);
});

it('answers calls of several connections', async () => {
  const server = await start();
  const clients = await Promise.all([server.connect(), server.connect()]);
  for (const client of clients) {
    client.send(wholeCall(1), wholeCall(3));
    await client.frame(
      'the second answer',
      ({ type, stream, flags }) => type === 'HEADERS' && stream === 3 && flags === 5,
    );
  }
  expect(server.calls).toHaveLength(4);
  expect(server.events).toEqual(['connection-opened', 'connection-opened']);
});

it('a connection that ends with FIN, and one that is reset in the midst of a frame, are no fault', async () => {
  const server = await start({}, false);
  const [leaving, broken] = [await server.connect(), await server.connect()];
  for (const client of [leaving, broken]) client.send(wholeCall(1), headers(3).subarray(0, 20));
  await waitUntil('the calls', () => server.calls.length === 2);
  leaving.socket.end();
  broken.socket.resetAndDestroy();
  await waitUntil(
    'both ends',
    () => server.events.filter((event) => event === 'connection-closed').length === 2,
  );
  expect(server.calls.every(({ signal }) => signal.aborted)).toBe(true);
  expect(new Set(server.events)).toEqual(new Set(['connection-opened', 'connection-closed']));
});

it('tells why it gives a connection up, before it ends', async () => {
  const server = await start();
  const client = await server.connect();
  client.send(headers(2));
  const { payload } = await client.frame('GOAWAY', ({ type }) => type === 'GOAWAY');
  expect(payload.readUInt32BE(4)).toBe(1);
  await client.closed();
});

it('looks at its connections now and then', async () => {
  const server = await start({ receiveTimeoutMs: 1 });
  const client = await server.connect();
  client.send(ping().subarray(0, 12));
  await client.frame('GOAWAY', ({ type }) => type === 'GOAWAY');
  expect(server.events).toContain('slow-frame');
});

it('takes no connection while it drains, and lets the calls of the others end', async () => {
  const server = await start({}, false);
  const client = await server.connect();
  client.send(wholeCall(1));
  await waitUntil('the call', () => server.calls.length === 1);
  server.transport.drain();
  await client.frame('the first GOAWAY', ({ type }) => type === 'GOAWAY');
  const late = await server.connect();
  await late.closed();
  expect(late.octets).toHaveLength(0);
  client.send(ping('weirdrai', 1));
  reply(server.calls[0] as UnaryCall, 'x');
  await client.closed();
  const last = client.frames.findLast(({ type }) => type === 'HEADERS');
  expect(last?.flags).toBe(5);
  expect(server.events.filter((event) => event === 'connection-opened')).toHaveLength(1);
});
