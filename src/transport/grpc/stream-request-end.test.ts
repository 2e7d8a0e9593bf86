import { describe, expect, it } from 'vitest';
import { reset } from '../../../test/support/http2-frames.ts';
import { data, message, paths } from '../../../test/support/http2-session.ts';
import { startStream } from '../../../test/support/stream-script.ts';

describe('the end of a stream that would not end by itself', () => {
  it.each([paths.watch, paths.chat])('a server that stops: UNAVAILABLE (%s)', async (path) => {
    const { session, script } = await startStream(path, [message(1, 'x', path === paths.watch)]);
    script.say('one');
    await session.settled();
    session.session.streams.get(1)?.reader.stopping();
    expect(session.written()[0]).toBe('HEADERS 1 grpc-status=14 grpc-message=the server is stopping, end');
    expect(script.call?.signal.aborted).toBe(true);
    script.say('late');
    expect(await session.settled()).toEqual([]);
    expect(script.hasReturned).toBe(true);
    expect(session.session.streams.places).toBe(0);
  });

  it.each([paths.watch, paths.chat])('a deadline: DEADLINE_EXCEEDED (%s)', async (path) => {
    const more: [string, string][] = [['grpc-timeout', '50m']];
    const { session, script } = await startStream(path, [message(1, 'x', true)], { more });
    script.say('one');
    await session.settled();
    expect(script.call?.deadline).toBe(session.now + 50);
    expect(session.tick(49)).toEqual([]);
    expect(session.tick(1)[0]).toMatch(/^HEADERS 1 grpc-status=4 .*, end$/);
    expect(session.faults).toEqual(['deadline']);
    expect(script.call?.signal.aborted).toBe(true);
  });

  it.each([paths.watch, paths.chat])('a deadline of 0: no handler is called (%s)', async (path) => {
    const { session, script } = await startStream(path, [message(1, 'x', true)], {
      more: [['grpc-timeout', '0n']],
    });
    expect(session.response(1).last['grpc-status']).toBe('4');
    expect(script.call).toBeUndefined();
    expect(session.session.streams.places).toBe(0);
  });

  it('a caller who cancels', async () => {
    const { session, script } = await startStream(paths.chat, [message(1, 'x')]);
    script.take(2);
    await session.settled();
    session.feed(reset(1));
    await session.settled();
    expect(script.call?.signal.aborted).toBe(true);
    expect(script.asked).toEqual(['x', '(end)']);
    script.say('late');
    expect(await session.settled()).toEqual([]);
    expect(script.hasReturned).toBe(true);
    expect(session.session.streams.places).toBe(0);
  });

  it('a stream of requests may take all the time that it needs between messages', async () => {
    const { session } = await startStream(paths.chat, [message(1, 'x')]);
    expect(session.tick(3_600_000)).toEqual([]);
  });

  it('but not in the midst of one: DEADLINE_EXCEEDED', async () => {
    const { session, script } = await startStream(paths.chat, []);
    script.take(2);
    const octets = message(1, 'message');
    const [begin, rest] = [data(1, octets.subarray(9, 15)), data(1, octets.subarray(15))];
    session.feed(begin);
    expect(session.tick(1)).toEqual([]);
    expect(session.tick(10_000)).toEqual([]);
    session.feed(rest);
    await session.settled();
    session.feed(begin);
    expect(session.tick(10_000)).toEqual([]);
    expect(session.tick(10_001)[0]).toMatch(/ grpc-status=4 .*, end$/);
    expect(session.faults).toEqual(['slow-request']);
  });
});
