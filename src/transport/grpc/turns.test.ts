import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { grpcMessage } from '../../../test/support/http2-frames.ts';
import { data, echo, headers, message, paths, TestSession } from '../../../test/support/http2-session.ts';
import { Turns } from './turns.ts';

describe('messages that are all there at once', () => {
  it('of a stream are taken in several turns of the loop', async () => {
    let taken = 0;
    const session = new TestSession({
      chat: async function* (messages) {
        for await (const _each of messages) taken += 1;
        yield* [];
      },
    });
    session.feed(headers(1, { path: paths.chat }));
    session.feed(data(1, Buffer.concat(Array(3_000).fill(grpcMessage(Buffer.alloc(0)))), true));
    await turn();
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(1_000);
    await session.settled(500);
    expect(taken).toBe(3_000);
    expect(session.response(1).last['grpc-status']).toBe('0');
  });

  it('of many calls, too', async () => {
    const session = new TestSession({ answer: echo });
    const ids = Array.from({ length: 1_000 }, (_, index) => 2 * index + 1);
    const halves = (id: number) => [message(id, 'x').subarray(9, 12), message(id, 'x').subarray(12)] as const;
    session.feed(...ids.map((id) => headers(id)), ...ids.map((id) => data(id, halves(id)[0])));
    session.feed(...ids.map((id) => data(id, halves(id)[1], true)));
    await turn();
    expect(session.calls.length).toBeGreaterThan(0);
    expect(session.calls.length).toBeLessThan(500);
    await session.settled(200);
    expect(session.calls).toHaveLength(1_000);
    expect(session.session.streams.places).toBe(0);
  });

  it('wait while the client does not read', async () => {
    const session = new TestSession({ answer: echo });
    session.session.isCongested = true;
    session.feed(headers(1), message(1, 'x').subarray(0, 12));
    session.feed(message(1, 'x').subarray(12), data(1, Buffer.alloc(0), true));
    await session.settled();
    expect(session.calls).toEqual([]);
    session.session.isCongested = false;
    session.session.streams.get(1)?.reader.sent();
    await session.settled();
    expect(session.response(1).messages).toEqual(['x']);
  });
});

describe('turns', () => {
  it('come at once while there are any, and then in order', async () => {
    const turns = new Turns(() => true);
    expect(turns.next(1_000_000)).toBeUndefined();
    const order: string[] = [];
    for (const name of ['a', 'b', 'c']) void turns.next(1_000_000)?.hasCome.then(() => order.push(name));
    expect(order).toEqual([]);
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      await turn();
      expect(order).toEqual(expected);
    }
  });

  it('that are left come at once, and the others come as before', async () => {
    const turns = new Turns(() => true);
    turns.next(1_000_000);
    const order: string[] = [];
    const first = turns.next(1_000_000);
    void first?.hasCome.then(() => order.push('a'));
    void turns.next(1_000_000)?.hasCome.then(() => order.push('b'));
    if (first !== undefined) turns.leave(first);
    await undefined;
    expect(order).toEqual(['a']);
    await turn();
    expect(order).toEqual(['a', 'b']);
  });

  it('do not come while nobody may go on', async () => {
    let mayGoOn = false;
    const turns = new Turns(() => mayGoOn);
    let hasCome = false;
    void turns.next(1)?.hasCome.then(() => {
      hasCome = true;
    });
    await turn();
    turns.resume();
    await turn();
    expect(hasCome).toBe(false);
    mayGoOn = true;
    turns.resume();
    await undefined;
    expect(hasCome).toBe(true);
  });
});
