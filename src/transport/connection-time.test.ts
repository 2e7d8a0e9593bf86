import { describe, expect, it } from 'vitest';
import { TestConnection } from '../../test/support/http2-connection.ts';
import { flags, frame, ping, preface, settings, windowUpdate } from '../../test/support/http2-frames.ts';
import { headers, message, paths, reply, wholeCall } from '../../test/support/http2-session.ts';
import type { UnaryCall } from './handler.ts';

const announced = ['GOAWAY 2147483647 NO_ERROR', 'PING weirdrai'];
const drainAck = ping('weirdrai', flags.ACK);
const echoNothing = (call: UnaryCall) => reply(call, '');

describe('preface and SETTINGS', () => {
  const limits = { handshakeTimeoutMs: 5_000 };

  it.each<[string, Buffer[]]>([
    ['nothing', []],
    ['half a preface', [preface.subarray(0, 12)]],
    ['a preface without SETTINGS', [preface]],
    ['a preface and half of SETTINGS', [preface, settings([1, 1]).subarray(0, 11)]],
  ])('must come in time: %s does not do', async (_, octets) => {
    const client = new TestConnection({ limits, greet: false });
    await client.send(...octets);
    await client.tick(5_000);
    expect(client.faults).toEqual([]);
    expect((await client.tick(1)).at(-1)).toBe('GOAWAY 0 SETTINGS_TIMEOUT handshake-timeout');
    expect(client.faults).toEqual(['handshake-timeout']);
    expect(client.socket.writableEnded).toBe(true);
  });

  it('that came are not waited for again', async () => {
    const client = new TestConnection({ limits });
    await client.words();
    expect(await client.tick(60_000)).toEqual([]);
  });
});

describe('a frame that has begun', () => {
  const limits = { receiveTimeoutMs: 5_000 };
  const slow = ['GOAWAY 0 ENHANCE_YOUR_CALM slow-frame'];
  const parts = headers(1).subarray(9);
  const part = (index: number) =>
    frame(index === 0 ? 'HEADERS' : 'CONTINUATION', 0, 1, parts.subarray(index, index + 1));

  it('must end in time', async () => {
    const client = new TestConnection({ limits });
    await client.send(ping().subarray(0, 5));
    await client.tick(1_000);
    expect(await client.tick(5_000)).not.toContain(slow[0]);
    expect(await client.tick(1)).toEqual(slow);
    expect(client.faults).toEqual(['slow-frame']);
  });

  it('must end in time, however it trickles', async () => {
    const client = new TestConnection({ limits });
    await client.words();
    const octets = [...frame('PING', 0, 0, Buffer.alloc(8))];
    for (const octet of octets.slice(0, 8)) {
      await client.send(Buffer.of(octet));
      await client.tick(1_000);
    }
    expect(client.faults).toEqual(['slow-frame']);
  });

  it('must end in time: so must a header block in frames that each came whole', async () => {
    const client = new TestConnection({ limits });
    for (let index = 0; index < 8; index++) {
      await client.send(part(index));
      await client.tick(1_000);
    }
    expect(client.faults).toEqual(['slow-frame']);
  });

  it('is another than the one before: many that are each in time are no fault', async () => {
    const client = new TestConnection({ limits: { ...limits, minPingIntervalMs: 0 } });
    let rest: Buffer = Buffer.alloc(0);
    for (let round = 0; round < 20; round++) {
      // Each packet ends the frame before, and begins one.
      await client.send(rest, ping().subarray(0, 10));
      rest = ping().subarray(10);
      await client.tick(1_000);
    }
    expect(client.faults).toEqual([]);
  });
});

describe('a connection without calls', () => {
  const limits = { idleTimeoutMs: 60_000 };

  it('is asked to leave, and ends', async () => {
    const client = new TestConnection({ limits });
    await client.words();
    expect(await client.tick(60_000)).toEqual([]);
    expect(await client.tick(1)).toEqual(announced);
    expect(await client.send(drainAck)).toEqual(['GOAWAY 0 NO_ERROR']);
    expect(client.socket.writableEnded).toBe(true);
    expect(client.faults).toEqual([]);
  });

  it('is not one whose call takes long', async () => {
    const client = new TestConnection({ limits });
    await client.send(wholeCall(1));
    for (let minutes = 0; minutes < 10; minutes++)
      expect((await client.tick(60_000)).join()).not.toContain('GOAWAY');
    reply(client.calls[0] as UnaryCall, 'x');
    await client.words();
    expect(await client.tick(60_000)).toEqual([]);
    expect(await client.tick(1)).toEqual(announced);
  });

  it('is not one whose calls are short, between two looks', async () => {
    const client = new TestConnection({ limits, answer: echoNothing });
    await client.words();
    for (let round = 0; round < 20; round++) {
      await client.send(wholeCall(2 * round + 1));
      expect(await client.tick(30_000)).toEqual([]);
    }
  });

  it('may stay for ever where there is no such time', async () => {
    const client = new TestConnection({ limits: { idleTimeoutMs: 0 } });
    await client.words();
    expect(await client.tick(365 * 86_400_000)).toEqual([]);
  });
});

describe('a client that takes nothing', () => {
  const limits = { stallTimeoutMs: 30_000, idleTimeoutMs: 0, minPingIntervalMs: 0 };

  it('is given up: its socket does not take what is written', async () => {
    const client = new TestConnection({ limits, answer: echoNothing });
    await client.words();
    client.socket.isRead = false;
    await client.send(wholeCall(1));
    await client.tick(1_000);
    await client.tick(30_000);
    expect(client.faults).toEqual([]);
    await client.tick(1);
    expect(client.faults).toEqual(['stalled']);
    expect(client.socket.destroyed).toBe(true);
    expect(client.closed).toBe(1);
  });

  it('is not one that takes a little now and then', async () => {
    const client = new TestConnection({ limits, answer: echoNothing });
    await client.words();
    client.socket.isRead = false;
    for (let id = 1; id < 20; id += 2) {
      await client.send(wholeCall(id));
      await client.tick(20_000);
      if (id > 1) client.socket.takeOne();
      await client.words();
    }
    expect(client.faults).toEqual([]);
  });

  it('is given up: its windows do not let through what is held', async () => {
    const client = new TestConnection({ limits, answer: echoNothing });
    await client.send(settings([4, 0]), wholeCall(1));
    // Acks of PING frames are no progress.
    for (let seconds = 0; seconds <= 31; seconds++) {
      await client.send(ping());
      await client.tick(1_000);
    }
    expect(client.faults).toEqual(['stalled']);
    expect(client.socket.writableEnded).toBe(true);
  });

  it('is not one whose windows let through a little', async () => {
    const client = new TestConnection({ limits, answer: (call) => reply(call, 'x'.repeat(100)) });
    await client.send(settings([4, 0]), wholeCall(1));
    for (let round = 0; round < 20; round++) {
      await client.send(windowUpdate(1, 1));
      await client.tick(20_000);
    }
    expect(client.faults).toEqual([]);
  });
});

describe('a server that stops', () => {
  it('asks its clients to leave, lets calls end, and then ends', async () => {
    const client = new TestConnection();
    await client.send(wholeCall(1));
    client.connection.drain();
    expect(await client.words()).toEqual(announced);
    expect(await client.send(wholeCall(3), drainAck)).toEqual(['GOAWAY 3 NO_ERROR']);
    reply(client.calls[0] as UnaryCall, 'one');
    await client.words();
    expect(client.socket.writableEnded).toBe(false);
    reply(client.calls[1] as UnaryCall, 'two');
    expect((await client.words()).at(-1)).toBe('HEADERS 3 grpc-status=0, end');
    expect(client.socket.writableEnded).toBe(true);
  });

  it('waits a second for the PING, and no longer', async () => {
    const client = new TestConnection();
    await client.words();
    client.connection.drain();
    expect(await client.words()).toEqual(announced);
    expect(await client.wait(999)).toEqual([]);
    expect(await client.wait(1)).toEqual(['GOAWAY 0 NO_ERROR']);
    expect(client.socket.writableEnded).toBe(true);
  });

  it('ends streams', async () => {
    const client = new TestConnection();
    await client.send(headers(1, { path: paths.watch }), message(1, 'x', true));
    client.connection.drain();
    expect(await client.words()).toEqual([
      ...announced,
      expect.stringMatching(/^HEADERS 1 .* grpc-status=14 .*, end$/),
    ]);
    await client.send(drainAck);
    expect(client.socket.writableEnded).toBe(true);
  });

  it('asks once', async () => {
    const client = new TestConnection();
    await client.words();
    client.connection.drain();
    client.connection.drain();
    expect(await client.words()).toEqual(announced);
  });
});

describe('the age of a connection', () => {
  it('of about so much: it is asked to leave', async () => {
    const client = new TestConnection({ maxAgeMs: 100_000 });
    await client.words();
    expect(await client.wait(89_999)).toEqual([]);
    expect((await client.wait(20_001)).slice(0, 2)).toEqual(announced);
  });

  it('calls have the time of grace to end, and are cut then', async () => {
    const client = new TestConnection({ maxAgeMs: 100_000, maxAgeGraceMs: 50_000 });
    await client.send(wholeCall(1));
    await client.wait(110_000);
    await client.send(drainAck);
    expect(client.socket.writableEnded).toBe(false);
    await client.wait(50_000);
    expect(client.socket.writableEnded).toBe(true);
    expect(client.calls[0]?.signal.aborted).toBe(true);
  });

  it('without one it may stay', async () => {
    const client = new TestConnection();
    await client.words();
    expect(await client.wait(20 * 86_400_000)).toEqual([]);
  });
});
