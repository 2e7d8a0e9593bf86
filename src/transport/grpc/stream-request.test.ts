import { describe, expect, it } from 'vitest';
import { reset, windowUpdate } from '../../../test/support/http2-frames.ts';
import {
  data,
  headers,
  message,
  paths,
  TestSession,
  wholeCall,
} from '../../../test/support/http2-session.ts';
import { startStream } from '../../../test/support/stream-script.ts';
import { grpcStatus } from '../grpc-status.ts';

const head = (id: number) => `HEADERS ${id} :status=200 content-type=application/grpc`;
const ok = (id: number) => `HEADERS ${id} grpc-status=0, end`;
const none = Buffer.alloc(0);

describe('the answers of a stream', () => {
  it('are sent one after another, and it ends with OK', async () => {
    const { session, script } = await startStream(paths.watch, [message(1, 'x', true)]);
    script.say('one');
    expect(await session.settled()).toEqual([head(1), 'DATA 1 8 octets']);
    script.say('two', 'three', 'end');
    expect(await session.settled()).toEqual(['DATA 1 8 octets', 'DATA 1 10 octets', ok(1)]);
    expect(session.response(1).messages).toEqual(['one', 'two', 'three']);
    expect(session.session.streams.places).toBe(0);
  });

  it('end with the status that it yields', async () => {
    const { session, script } = await startStream(paths.watch, [message(1, 'x', true)]);
    script.say('one', grpcStatus('NOT_FOUND', 'gone'), 'never');
    expect((await session.settled()).at(-1)).toBe('HEADERS 1 grpc-status=5 grpc-message=gone, end');
    expect(session.response(1).messages).toEqual(['one']);
    expect(script.hasReturned).toBe(true);
  });

  it('may be none: a status alone, or OK', async () => {
    const failing = await startStream(paths.watch, [message(1, 'x', true)]);
    failing.script.say(grpcStatus('NOT_FOUND', 'gone'));
    expect(await failing.session.settled()).toEqual([`${head(1)} grpc-status=5 grpc-message=gone, end`]);
    const empty = await startStream(paths.watch, [message(1, 'x', true)]);
    empty.script.say('end');
    expect(await empty.session.settled()).toEqual([`${head(1)} grpc-status=0, end`]);
  });

  it('that end before the request: RST_STREAM NO_ERROR', async () => {
    const { session, script } = await startStream(paths.chat, [message(1, 'x')]);
    script.say('one', 'end');
    expect(await session.settled()).toEqual([head(1), 'DATA 1 8 octets', ok(1), 'RST_STREAM 1 NO_ERROR']);
  });

  it('of a handler that throws: RST_STREAM INTERNAL_ERROR', async () => {
    const session = new TestSession({
      // biome-ignore lint/correctness/useYield: it never comes to that
      watch: async function* () {
        throw new Error('a fault');
      },
    });
    session.feed(wholeCall(1, 'x', { path: paths.watch }));
    expect(await session.settled()).toEqual(['RST_STREAM 1 INTERNAL_ERROR']);
    expect(session.session.streams.places).toBe(0);
  });
});

describe('a client that does not take the answers', () => {
  it('is waited for: the next is asked for when the one before has gone', async () => {
    const { session, script } = await startStream(paths.watch, [message(1, 'x', true)], {
      settings: [[4, 10]],
    });
    script.say('first', 'second', 'end');
    expect(await session.settled()).toEqual([head(1), 'DATA 1 10 octets']);
    // Sent as a whole, so that it asked for the second, which is held.
    expect(script.pulls).toBe(2);
    session.feed(windowUpdate(1, 10));
    await session.settled();
    expect(script.pulls).toBe(2);
    session.feed(windowUpdate(1, 1));
    expect(await session.settled()).toEqual([ok(1)]);
    expect(session.response(1).messages).toEqual(['first', 'second']);
  });

  it('is waited for when the connection has too much to send', async () => {
    const { session, script } = await startStream(paths.watch, [message(1, 'x', true)]);
    session.session.isCongested = true;
    script.say('first', 'second', 'end');
    await session.settled();
    expect(script.pulls).toBe(1);
    session.session.isCongested = false;
    session.session.streams.get(1)?.reader.sent();
    await session.settled();
    expect(session.response(1)).toMatchObject({ messages: ['first', 'second'], hasEnded: true });
  });

  it('and cancels is not waited for', async () => {
    const { session, script } = await startStream(paths.watch, [message(1, 'x', true)], {
      settings: [[4, 0]],
    });
    script.say('first', 'second');
    await session.settled();
    session.feed(reset(1));
    await session.settled();
    expect(script.hasReturned).toBe(true);
    expect(session.session.streams.places).toBe(0);
    expect(session.session.outbound.heldBytes).toBe(0);
  });
});

describe('the messages of a request that is a stream', () => {
  it('come one after another, to the end of the request', async () => {
    const { session, script } = await startStream(paths.chat, [message(1, 'one'), message(1, 'two', true)]);
    script.take(2);
    await session.settled();
    expect(script.asked).toEqual(['one', 'two']);
    script.take();
    await session.settled();
    expect(script.asked).toEqual(['one', 'two', '(end)']);
  });

  it('end also with an empty DATA frame, and with trailers', async () => {
    const trailers = headers(1, { fields: [['x-sum', '1']], endStream: true });
    for (const end of [data(1, none, true), trailers]) {
      const { session, script } = await startStream(paths.chat, [message(1, 'one'), end]);
      script.take(2);
      await session.settled();
      expect(script.asked).toEqual(['one', '(end)']);
    }
  });

  it('may be none', async () => {
    const { session, script } = await startStream(paths.chat, [data(1, none, true)]);
    script.take();
    script.say('end');
    await session.settled();
    expect(script.asked).toEqual(['(end)']);
    expect(session.response(1).last['grpc-status']).toBe('0');
  });

  it('may come in any pieces', async () => {
    const all = Buffer.concat(['one', 'two', 'three'].map((text) => message(1, text).subarray(9)));
    for (let at = 0; at <= all.length; at++) {
      const pieces = [data(1, all.subarray(0, at)), data(1, all.subarray(at), true)];
      const { session, script } = await startStream(paths.chat, pieces);
      script.take(4);
      await session.settled();
      expect(script.asked, `cut at ${at}`).toEqual(['one', 'two', 'three', '(end)']);
    }
  });

  it.each<[string, Buffer[], string]>([
    ['that is cut', [data(1, message(1, 'two').subarray(9, 16), true)], '13'],
    ['with flag 2', [data(1, Buffer.from([2, 0, 0, 0, 0]))], '13'],
    ['that is too large', [data(1, Buffer.from([0, 1, 0, 0, 0]))], '8'],
  ])('one %s ends the call', async (_, octets, status) => {
    const { session, script } = await startStream(paths.chat, [message(1, 'one')]);
    script.take(2);
    session.feed(...octets);
    await session.settled();
    expect(session.response(1).last['grpc-status']).toBe(status);
    expect(script.asked).toEqual(['one', '(end)']);
    expect(script.call?.signal.aborted).toBe(true);
  });
});

describe('a client that sends more than is taken', () => {
  const limits = { streamWindowBytes: 1_000, connectionWindowBytes: 70_000 };
  const part = (octets: number) => message(1, 'x'.repeat(octets - 5));

  it('gets window for its stream only when the handler has taken what waits', async () => {
    const { session, script } = await startStream(paths.chat, [part(600)], { limits });
    expect(session.frames.filter(({ type, stream }) => type === 'WINDOW_UPDATE' && stream === 1)).toEqual([]);
    script.take();
    expect(await session.settled()).toEqual(['WINDOW_UPDATE 1 +600']);
  });

  it('gets none for its stream when the request has ended', async () => {
    const whole = message(1, 'x'.repeat(595), true);
    const { session, script } = await startStream(paths.chat, [whole], { limits });
    script.take(2);
    expect(await session.settled()).toEqual([]);
    expect(script.asked).toHaveLength(2);
  });

  it('gets window for its connection only when the handler has done with it', async () => {
    const wide = { streamWindowBytes: 70_000, connectionWindowBytes: 70_000 };
    const parts = [part(15_000), part(15_000), part(15_000), part(15_000)];
    const { session, script } = await startStream(paths.chat, parts, { limits: wide });
    const returned = () =>
      session.frames
        .filter(({ type, stream }) => type === 'WINDOW_UPDATE' && stream === 0)
        .reduce((sum, { payload }) => sum + payload.readUInt32BE(), 65_535 - 70_000);
    expect(returned()).toBe(0);
    script.take();
    await session.settled();
    expect(returned()).toBe(0);
    script.take();
    await session.settled();
    expect(returned()).toBe(15_000);
    // The next 15,000 are not worth a frame.
    script.take(2);
    await session.settled();
    expect(returned()).toBe(45_000);
  });

  it('gets all back when the call ends', async () => {
    const wide = { streamWindowBytes: 70_000, connectionWindowBytes: 70_000 };
    const { session, script } = await startStream(paths.chat, [part(15_000), part(15_000)], { limits: wide });
    script.say('end');
    expect((await session.settled()).at(-1)).toBe('WINDOW_UPDATE 0 +30000');
  });
});

describe('the one message of a server streaming call', () => {
  it('is followed by the end of the request', async () => {
    const { session, script } = await startStream(paths.watch, [message(1, 'one', true)]);
    script.take(2);
    await session.settled();
    expect(script.asked).toEqual(['one', '(end)']);
  });

  it('is not followed by a second: INTERNAL', async () => {
    const { session, script } = await startStream(paths.watch, [message(1, 'one')]);
    script.take();
    await session.settled();
    session.feed(message(1, 'two'));
    expect(session.response(1)).toMatchObject({ last: { 'grpc-status': '13' }, reset: 'NO_ERROR' });
    expect(session.faults).toEqual(['bad-message']);
    expect(script.call?.signal.aborted).toBe(true);
  });

  it.each<[string, Buffer[]]>([
    ['an empty DATA frame', [data(1, none, true)]],
    ['trailers', [headers(1, { fields: [], endStream: true })]],
  ])('must come: %s without it is INTERNAL', async (_, octets) => {
    const { session } = await startStream(paths.watch, octets);
    expect(session.response(1)).toMatchObject({ last: { 'grpc-status': '13' }, reset: undefined });
  });

  it('must come in time: DEADLINE_EXCEEDED', async () => {
    const { session, script } = await startStream(paths.watch, [message(1, 'one')]);
    expect(session.tick(10_000)).toEqual([]);
    expect(session.tick(1)[0]).toMatch(/ grpc-status=4 .*, end$/);
    expect(session.faults).toEqual(['slow-request']);
    expect(script.call?.signal.aborted).toBe(true);
  });
});
