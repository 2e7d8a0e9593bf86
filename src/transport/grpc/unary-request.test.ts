import { describe, expect, it } from 'vitest';
import { reset, settings, windowUpdate } from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  reply,
  TestSession,
  type TestSessionOptions,
  wholeCall,
} from '../../../test/support/http2-session.ts';
import { grpcStatus } from '../grpc-status.ts';

const head = (id: number) => `HEADERS ${id} :status=200 content-type=application/grpc`;
const ok = (id: number) => `HEADERS ${id} grpc-status=0, end`;

function withTimeout(timeout: string, options: TestSessionOptions = {}): TestSession {
  const session = new TestSession(options);
  session.feed(headers(1, { more: [['grpc-timeout', timeout]] }));
  return session;
}

describe('an answer', () => {
  it('is head, message and trailers, with no flag for compression', () => {
    const session = new TestSession({ answer: echo });
    expect(session.feed(wholeCall(1, 'abc'))).toEqual([head(1), 'DATA 1 8 octets', ok(1)]);
    expect(session.response(1).body).toBe('\0\0\0\0\x03abc');
  });

  it('may be empty', () => {
    const session = new TestSession({ answer: (call) => reply(call, '') });
    expect(session.feed(wholeCall(1))).toEqual([head(1), 'DATA 1 5 octets', ok(1)]);
  });

  it('may come later, and in any order', () => {
    const session = new TestSession();
    session.feed(wholeCall(1), wholeCall(3));
    expect(session.written()).toEqual([]);
    reply(session.calls[1]?.call as never, 'second');
    expect(session.written()).toEqual([head(3), 'DATA 3 11 octets', ok(3)]);
    reply(session.calls[0]?.call as never, 'first');
    expect(session.written()).toEqual([head(1), 'DATA 1 10 octets', ok(1)]);
    expect(session.session.streams.places).toBe(0);
  });

  it('may be a status alone, which is then all there is', () => {
    const session = new TestSession({ answer: (call) => call.fail(grpcStatus('UNAVAILABLE', 'no store')) });
    expect(session.feed(wholeCall(1))).toEqual([`${head(1)} grpc-status=14 grpc-message=no store, end`]);
    expect(session.faults).toEqual([]);
  });

  it('is the first that is given', () => {
    const session = new TestSession();
    session.feed(wholeCall(1));
    const { call } = session.lastCall;
    reply(call, 'one');
    reply(call, 'two');
    call.fail(grpcStatus('INTERNAL', 'three'));
    expect(session.written()).toEqual([head(1), 'DATA 1 8 octets', ok(1)]);
  });

  it('whose encoder throws leaves nothing, and another status can be given', () => {
    const session = new TestSession();
    session.feed(wholeCall(1), settings([1, 0]));
    const { call } = session.lastCall;
    const fault = new Error('cannot encode');
    const encode = () =>
      call.reply('x', (text, out) => {
        out.text(text.repeat(20_000));
        throw fault;
      });
    expect(encode).toThrow(fault);
    expect(session.written()).toEqual([]);
    call.fail(grpcStatus('INTERNAL', 'internal error'));
    expect(session.written()).toEqual([
      'HEADERS 1 table-size=0 :status=200 content-type=application/grpc grpc-status=13 grpc-message=internal error, end',
    ]);
    session.feed(wholeCall(3));
    reply(session.lastCall.call, 'y');
    session.written();
    expect(session.response(3).messages).toEqual(['y']);
  });

  it('a handler is called once for each call', async () => {
    const session = new TestSession({ answer: echo });
    session.feed(wholeCall(1, 'whole'), headers(3), message(3, 'pieces'), data(3, Buffer.alloc(0), true));
    await session.settled();
    expect(session.calls.map((call) => call.message)).toEqual(['whole', 'pieces']);
  });
});

describe('a caller who has gone', () => {
  it('is told to the handler, and gets nothing', () => {
    const session = new TestSession();
    session.feed(wholeCall(1));
    const { call } = session.lastCall;
    expect(call.signal.aborted).toBe(false);
    session.feed(reset(1));
    expect(call.signal.aborted).toBe(true);
    reply(call, 'late');
    expect(session.written()).toEqual([]);
  });

  it('is told to a handler that asks only then', () => {
    const session = new TestSession();
    session.feed(wholeCall(1), reset(1));
    expect(session.lastCall.call.signal.aborted).toBe(true);
  });

  it('is one whose connection has ended', () => {
    const session = new TestSession();
    session.feed(wholeCall(1));
    const { call } = session.lastCall;
    const { signal } = call;
    session.session.end();
    expect(signal.aborted).toBe(true);
    reply(call, 'late');
    expect(session.written()).toEqual([]);
    expect(session.session.streams.places).toBe(0);
  });
});

describe('a deadline', () => {
  it.each(['0n', '0S'])('of %s is over at once: DEADLINE_EXCEEDED, and no handler is called', (timeout) => {
    const session = withTimeout(timeout);
    session.feed(message(1, 'x', true));
    expect(session.response(1)).toMatchObject({ last: { 'grpc-status': '4' }, messages: [] });
    expect(session.calls).toEqual([]);
    expect(session.faults).toEqual(['deadline']);
  });

  it('that passes before the request is over: no handler is called', () => {
    const session = withTimeout('50m');
    session.now += 50;
    session.feed(message(1, 'x', true));
    expect(session.response(1).last['grpc-status']).toBe('4');
    expect(session.calls).toEqual([]);
    expect(session.session.streams.places).toBe(0);
  });

  it('that has not passed: the handler is called', () => {
    const session = withTimeout('50m');
    session.now += 49;
    session.feed(message(1, 'x', true));
    expect(session.calls).toHaveLength(1);
  });

  it('that passes while the handler works: a tick answers, and what comes late is dropped', () => {
    const session = withTimeout('50m', { limits: { maxConcurrentStreams: 1 } });
    session.feed(message(1, 'x', true));
    const { call } = session.lastCall;
    const { signal } = call;
    expect(session.tick(49)).toEqual([]);
    expect(session.tick(1)).toEqual([
      `${head(1)} grpc-status=4 grpc-message=the time of the call is over, end`,
    ]);
    expect(signal.aborted).toBe(true);
    expect(session.faults).toEqual(['deadline']);
    expect(session.feed(wholeCall(3))).toEqual(['RST_STREAM 3 REFUSED_STREAM']);
    reply(call, 'late');
    expect(session.written()).toEqual([]);
    expect(session.session.streams.places).toBe(0);
    expect(session.tick(60_000)).toEqual([]);
  });

  it('that passes before the message came: a tick answers', () => {
    const session = withTimeout('50m');
    expect(session.tick(50)).toEqual([
      expect.stringMatching(/^HEADERS 1 .* grpc-status=4 .*, end$/),
      'RST_STREAM 1 NO_ERROR',
    ]);
  });

  it('does not matter to an answer that only waits to be sent', () => {
    const session = withTimeout('50m', { settings: [[4, 0]], answer: echo });
    session.feed(message(1, 'abc', true));
    expect(session.tick(60)).toEqual([]);
    expect(session.feed(windowUpdate(1, 8))).toEqual(['DATA 1 8 octets', ok(1)]);
    expect(session.faults).toEqual([]);
  });
});

describe('a request that takes too long to come', () => {
  const limits = { receiveTimeoutMs: 1_000 };

  it.each<[string, Buffer[]]>([
    ['HEADERS alone', []],
    ['a message that is not complete', [message(1, 'abc').subarray(0, 12)]],
    ['a message without END_STREAM', [message(1, 'abc')]],
  ])('%s: DEADLINE_EXCEEDED after the time for it', (_, octets) => {
    const session = new TestSession({ limits });
    session.feed(headers(1), data(1, Buffer.concat(octets.map((each) => each.subarray(9)))));
    expect(session.tick(1_000)).toEqual([]);
    expect(session.tick(1)).toEqual([
      expect.stringMatching(/^HEADERS 1 .* grpc-status=4 .*, end$/),
      'RST_STREAM 1 NO_ERROR',
    ]);
    expect(session.faults).toEqual(['slow-request']);
    expect(session.calls).toEqual([]);
  });

  it('however it trickles', () => {
    const session = new TestSession({ limits });
    session.feed(headers(1));
    const octets = [...message(1, 'x'.repeat(100)).subarray(9)];
    const words = octets.flatMap((octet) => [
      ...session.feed(data(1, Buffer.of(octet))),
      ...session.tick(100),
    ]);
    expect(words).toHaveLength(2);
    expect(session.faults).toEqual(['slow-request']);
  });

  it('is no matter of how long the handler takes', () => {
    const session = new TestSession({ limits });
    session.feed(wholeCall(1));
    expect(session.tick(60_000)).toEqual([]);
    reply(session.lastCall.call, 'x');
    expect(session.written()).toContain(ok(1));
  });
});
