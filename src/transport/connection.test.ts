import { describe, expect, it, vi } from 'vitest';
import { hello, TestConnection } from '../../test/support/http2-connection.ts';
import { flags, frame, goaway, ping, readFrames, reset, settings } from '../../test/support/http2-frames.ts';
import { headers, paths, reply, wholeCall } from '../../test/support/http2-session.ts';
import type { UnaryCall } from './handler.ts';

const greeting = ['SETTINGS 3=1024 4=1048576 5=16384 6=16384', 'WINDOW_UPDATE 0 +5177345', 'SETTINGS ack'];
const echoNothing = (call: UnaryCall) => reply(call, '');
const idOf = (index: number) => 2 * index + 1;
const manyCalls = (count: number) => Array.from({ length: count }, (_, index) => wholeCall(idOf(index)));

describe('the first octets', () => {
  it('SETTINGS are sent with the answer to a preface', async () => {
    const client = new TestConnection();
    expect(await client.words()).toEqual(greeting);
    expect(client.socket.writes).toHaveLength(1);
    expect(await client.wait(1_000)).toEqual([]);
  });

  it('SETTINGS are sent after 50 ms to a client that waits for them', async () => {
    const client = new TestConnection({ greet: false });
    expect(await client.wait(49)).toEqual([]);
    expect(await client.wait(1)).toEqual(greeting.slice(0, 2));
    expect(await client.send(hello)).toEqual(greeting.slice(2));
  });

  it('a client of HTTP/1 is answered, and its connection ended', async () => {
    const client = new TestConnection({ greet: false });
    await client.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    expect(client.socket.octets.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(client.socket.writableEnded).toBe(true);
    expect(client.faults).toEqual(['no-http2']);
  });
});

describe('writes', () => {
  it('there is one for all answers to one read', async () => {
    const client = new TestConnection({ answer: echoNothing });
    await client.words();
    const before = client.socket.writes.length;
    const words = await client.send(...manyCalls(100));
    expect(words).toHaveLength(300);
    expect(client.socket.writes.length - before).toBe(1);
  });

  it('there is one for all answers that become ready in one turn', async () => {
    const client = new TestConnection();
    await client.send(...manyCalls(100));
    const before = client.socket.writes.length;
    for (const call of client.calls) reply(call, 'x');
    expect(await client.words()).toHaveLength(300);
    expect(client.socket.writes.length - before).toBe(1);
  });

  it('what was written is not written over before the client has taken it', async () => {
    let count = 0;
    const client = new TestConnection({
      answer: (call) => {
        count += 1;
        reply(call, `answer ${count}`);
      },
    });
    await client.words();
    client.socket.isRead = false;
    await client.send(wholeCall(1));
    await client.send(wholeCall(3), wholeCall(5));
    await client.send(wholeCall(7));
    client.socket.isRead = true;
    await client.words();
    const { frames, length } = readFrames(client.socket.octets);
    expect(length).toBe(client.socket.octets.length);
    const bodies = frames.filter(({ type }) => type === 'DATA').map(({ payload }) => payload.toString());
    expect(bodies).toEqual([1, 2, 3, 4].map((each) => `\0\0\0\0\x08answer ${each}`));
  });
});

describe('the end of a connection', () => {
  it('FIN of the client: its calls are cancelled, and the socket ends', async () => {
    const client = new TestConnection();
    await client.send(wholeCall(1));
    const { signal } = client.calls[0] as UnaryCall;
    client.socket.push(null);
    expect(await client.words()).toEqual([]);
    expect(signal.aborted).toBe(true);
    expect(client.socket.destroyed).toBe(true);
    expect([client.closed, client.faults]).toEqual([1, []]);
  });

  it('a reset in the midst of a frame is no news', async () => {
    const client = new TestConnection();
    client.socket.on('error', () => {});
    await client.send(wholeCall(1), ping().subarray(0, 12));
    client.socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    await client.words();
    expect([client.closed, client.faults]).toEqual([1, []]);
    reply(client.calls[0] as UnaryCall, 'nobody gets it');
    await client.words();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a connection error: GOAWAY, then the end, and what still comes is not answered', async () => {
    const client = new TestConnection();
    await client.words();
    expect(await client.send(ping('12345678'), headers(2), ping())).toEqual([
      'PING ack 12345678',
      'GOAWAY 0 PROTOCOL_ERROR protocol',
    ]);
    expect(client.socket.writableEnded).toBe(true);
    expect(client.socket.destroyed).toBe(false);
    expect(await client.send(ping(), wholeCall(1))).toEqual([]);
  });

  it('a client that does not close then is cut after a second', async () => {
    const client = new TestConnection();
    await client.send(headers(2));
    await client.wait(999);
    expect(client.socket.destroyed).toBe(false);
    await client.wait(1);
    expect(client.socket.destroyed).toBe(true);
    expect(client.closed).toBe(1);
  });

  it('GOAWAY of a client and then FIN: its calls are answered in between', async () => {
    const client = new TestConnection();
    await client.send(wholeCall(1), goaway());
    reply(client.calls[0] as UnaryCall, 'x');
    expect((await client.words()).at(-1)).toBe('HEADERS 1 grpc-status=0, end');
    client.socket.push(null);
    await client.words();
    expect(client.closed).toBe(1);
  });

  it('no timer is left behind', async () => {
    const client = new TestConnection({ maxAgeMs: 60_000 });
    await client.words();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    client.socket.destroy();
    await client.words();
    expect(vi.getTimerCount()).toBe(0);
    expect(client.closed).toBe(1);
  });
});

describe('a client that does not read', () => {
  const limits = { maxUnsentBytes: 65_536 };
  /** A call whose answer takes 16 KiB. */
  const large = (call: UnaryCall) => reply(call, 'x'.repeat(16_000));
  const wide = settings([4, 2 ** 31 - 1]);
  const window = frame('WINDOW_UPDATE', 0, 0, Buffer.from([0x3f, 0xff, 0, 0]));

  it('is not read either, and nobody loses anything when it goes on', async () => {
    const client = new TestConnection({ limits, answer: large });
    await client.send(wide, window);
    client.socket.isRead = false;
    await client.send(...manyCalls(4));
    expect(client.socket.isPaused()).toBe(false);
    await client.send(wholeCall(9));
    expect(client.socket.isPaused()).toBe(true);
    client.socket.isRead = true;
    await client.words();
    expect(client.socket.isPaused()).toBe(false);
    const ends = readFrames(client.socket.octets).frames.filter(
      (each) => each.type === 'HEADERS' && (each.flags & flags.END_STREAM) !== 0,
    );
    expect(ends).toHaveLength(5);
  });

  it.each([
    ['that takes it later', false],
    ['that takes it at once after all', true],
  ])('a stream waits for one %s, and goes on', async (_, isRead) => {
    let said = 0;
    const client = new TestConnection({
      limits,
      answer: large,
      watch: async function* () {
        for (; said < 50; said++) yield Buffer.from('x');
      },
    });
    await client.send(wide, window);
    client.socket.isRead = isRead;
    // So much in one turn that it is too much until it is written.
    await client.send(headers(1, { path: paths.watch }), ...manyCalls(11).slice(1));
    if (!isRead) expect(said).toBeLessThan(2);
    client.socket.isRead = true;
    await client.words();
    expect(said).toBe(50);
    expect(client.socket.isPaused()).toBe(false);
  });
});

it('a call that is cancelled, as the last: nothing is said, and a connection that drains ends', async () => {
  const client = new TestConnection();
  await client.send(wholeCall(1));
  client.connection.drain();
  await client.send(ping('weirdrai', flags.ACK));
  expect(client.socket.writableEnded).toBe(false);
  expect(await client.send(reset(1))).toEqual([]);
  expect(client.socket.writableEnded).toBe(true);
});

it('a client that has said nothing yet is not asked to leave: its connection ends', async () => {
  const client = new TestConnection({ greet: false });
  client.connection.drain();
  await client.words();
  expect(client.socket.writableEnded).toBe(true);
});
