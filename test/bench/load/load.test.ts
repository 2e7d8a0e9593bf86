import { describe, expect, it } from 'vitest';
import { type Message, shouldRateLimit } from '../../support/grpc-client.ts';
import {
  type AnsweringServer,
  answerWith,
  failWith,
  okMessage,
  type ReceivedCall,
  startAnsweringServer,
} from './answering-server.ts';
import { type LoadOptions, LoadRun, type Tally } from './load.ts';
import { closedPace } from './pace.ts';
import { prepareCalls } from './prepared-calls.ts';

const answerOk = (call: ReceivedCall) => answerWith(call, okMessage);
const prepared = prepareCalls({ keys: 3, descriptors: 2, isWithTimeout: true });

/** Asks for one key after another, so that tests know which call is which. */
function openLoad({ port }: AnsweringServer, options: Partial<LoadOptions> = {}): LoadRun {
  let next = 0;
  const nextKey = () => next++ % 3;
  return new LoadRun({
    ...{ host: '127.0.0.1', port, connections: 1, streams: 5, calls: prepared, nextKey },
    ...options,
  });
}

async function send(load: LoadRun, calls: number): Promise<Tally> {
  try {
    await load.connected();
    return await load.run(closedPace({ calls, seconds: Number.POSITIVE_INFINITY }));
  } finally {
    load.close();
  }
}

describe('calls of the load', () => {
  it('are what Envoy sends, the first of a connection as the later ones', async () => {
    await using server = await startAnsweringServer(answerOk);
    await send(openLoad(server), 4);
    const [first, ...later] = server.calls.map(({ headers }) => Object.fromEntries(Object.entries(headers)));
    expect(first).toEqual({
      ':method': 'POST',
      ':path': shouldRateLimit.path,
      ':authority': 'ratelimit',
      ':scheme': 'http',
      te: 'trailers',
      'grpc-timeout': '250m',
      'content-type': 'application/grpc',
      'x-envoy-internal': 'true',
      'x-forwarded-for': '192.0.2.2',
      'x-envoy-expected-rq-timeout-ms': '250',
    });
    expect(later).toEqual([first, first, first]);
  });

  it('ask for the users in turn, each with its descriptors', async () => {
    await using server = await startAnsweringServer(answerOk);
    await send(openLoad(server, { streams: 1 }), 4);
    expect(server.calls.map(({ body }) => usersOf(body))).toEqual([
      ['user-0-0', 'user-0-1'],
      ['user-1-0', 'user-1-1'],
      ['user-2-0', 'user-2-1'],
      ['user-0-0', 'user-0-1'],
    ]);
    expect(server.calls.map(({ stream }) => stream.id)).toEqual([1, 3, 5, 7]);
  });

  it('may have no timeout', async () => {
    await using server = await startAnsweringServer(answerOk);
    const calls = prepareCalls({ keys: 3, descriptors: 1, isWithTimeout: false });
    expect((await send(openLoad(server, { calls }), 4)).failed).toBe(0);
    expect(server.calls.map(({ headers }) => headers['grpc-timeout'])).toEqual(Array(4).fill(undefined));
    expect(server.calls.map(({ headers }) => headers[':path'])).toEqual(Array(4).fill(shouldRateLimit.path));
  });

  it('use all connections, and no more streams than are wanted or allowed', async () => {
    const settings = { maxConcurrentStreams: 2 };
    let open = 0;
    let most = 0;
    await using server = await startAnsweringServer(
      (call) => {
        most = Math.max(most, ++open);
        setImmediate(() => {
          open--;
          answerOk(call);
        });
      },
      { settings },
    );
    const load = openLoad(server, { connections: 3 });
    await load.connected();
    // The server's settings come with the first answers at the latest.
    await load.run(closedPace({ calls: 3, seconds: Number.POSITIVE_INFINITY }));
    expect((await send(load, 300)).calls).toBe(300);
    expect(most).toBeLessThanOrEqual(6);
    expect(new Set(server.calls.map(({ session }) => session)).size).toBe(3);
  });
});

describe('answers to the load', () => {
  it('are counted and timed when they are good', async () => {
    await using server = await startAnsweringServer(answerOk);
    const tally = await send(openLoad(server, { connections: 2, streams: 20 }), 5_000);
    expect(tally).toMatchObject({ calls: 5_000, failed: 0 });
    expect(tally.latencies.count).toBe(5_000);
    expect(tally.latencies.max).toBeGreaterThan(0);
    expect(server.calls.length).toBe(5_000);
  });

  it.each<[string, (call: ReceivedCall) => void]>([
    ['an error without a message', (call) => failWith(call, '14')],
    ['OK without a message', (call) => failWith(call, '0')],
    ['an error after the message', (call) => answerWith(call, okMessage, '13')],
    ['an empty message', (call) => answerWith(call, Buffer.alloc(5))],
    ['no DATA', (call) => answerWith(call, Buffer.alloc(0))],
    ['a reset', ({ stream }) => stream.close(8)],
    ['another status of HTTP', ({ stream }) => stream.respond({ ':status': 503 }, { endStream: true })],
    ['no trailers', endWithoutTrailers],
  ])('fail with %s', async (_, fail) => {
    let count = 0;
    await using server = await startAnsweringServer((call) =>
      count++ % 2 === 0 ? fail(call) : answerOk(call),
    );
    const tally = await send(openLoad(server), 20);
    expect(tally).toMatchObject({ calls: 20, failed: 10 });
    expect(tally.latencies.count).toBe(10);
  });

  it('may be more than the window that the server has at first', async () => {
    const message = Buffer.alloc(1024 * 1024);
    message.writeUInt32BE(message.length - 5, 1);
    await using server = await startAnsweringServer((call) => answerWith(call, message));
    expect(await send(openLoad(server), 60)).toMatchObject({ calls: 60, failed: 0 });
  });
});

function endWithoutTrailers({ stream }: ReceivedCall): void {
  stream.respond({ ':status': 200 });
  stream.end(okMessage);
}

function usersOf(body: Buffer): string[] {
  expect(body.readUInt32BE(1)).toBe(body.length - 5);
  const request = shouldRateLimit.requestDeserialize(body.subarray(5)) as Message;
  const descriptors = request['descriptors'] as { entries: { value: string }[] }[];
  return descriptors.flatMap(({ entries }) => entries.map(({ value }) => value));
}
