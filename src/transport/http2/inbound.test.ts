import { describe, expect, it } from 'vitest';
import {
  block,
  callFields,
  errorCodes,
  flags,
  frame,
  reset,
  settingsAck,
  windowUpdate,
} from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  paths,
  reply,
  TestSession,
  wholeCall,
} from '../../../test/support/http2-session.ts';

const none = Buffer.alloc(0);
/** Adds `a: b` to the table. */
const adds = Buffer.from([0x40, 1, 0x61, 1, 0x62]);
/** The newest entry of the table. */
const refers = Buffer.of(0xbe);

/** HEADERS whose block is given, besides the usual fields of a request. */
function headersWith(id: number, more: Buffer, endStream = false): Buffer {
  const bits = flags.END_HEADERS | (endStream ? flags.END_STREAM : 0);
  return frame('HEADERS', bits, id, Buffer.concat([block(callFields(paths.unary)), more]));
}

function trailers(id: number, fields: readonly (readonly [string, string])[] = [['x-sum', '1']]): Buffer {
  return headers(id, { fields, endStream: true });
}

describe('identifiers of streams', () => {
  it('rise: one below the highest is closed, also when it was never used', () => {
    const session = new TestSession({ answer: echo });
    session.feed(wholeCall(7));
    expect(session.feed(headers(5))).toEqual(['GOAWAY 7 STREAM_CLOSED protocol']);
  });

  it.each([0, 2, 6])('%s is none', (id) => {
    expect(new TestSession().feed(headers(id))).toEqual(['GOAWAY 0 PROTOCOL_ERROR protocol']);
  });
});

describe('the end of a request', () => {
  const ends: [string, (id: number) => Buffer[]][] = [
    ['END_STREAM on the DATA of its message', (id) => [message(id, 'x', true)]],
    ['an empty DATA frame behind it', (id) => [message(id, 'x'), data(id, none, true)]],
    ['trailers', (id) => [message(id, 'x'), trailers(id)]],
    ['trailers without a field', (id) => [message(id, 'x'), trailers(id, [])]],
  ];

  it.each(ends)('%s', async (_, octets) => {
    const session = new TestSession({ answer: echo });
    const words = [...session.feed(headers(1), ...octets(1)), ...(await session.settled())];
    // Both sides have ended: Envoy before 1.39 takes a RST_STREAM for a failure of the call.
    expect(words).toEqual([
      'HEADERS 1 :status=200 content-type=application/grpc',
      'DATA 1 6 octets',
      'HEADERS 1 grpc-status=0, end',
    ]);
    expect(session.faults).toEqual([]);
  });

  it('is waited for: a whole message is no call yet', () => {
    const session = new TestSession({ answer: echo });
    expect(session.feed(headers(1), message(1, 'x'))).toEqual([]);
    expect(session.calls).toEqual([]);
  });

  it('what trailers say counts for the table', () => {
    const session = new TestSession({ answer: echo });
    session.feed(headers(1), message(1, 'x'), frame('HEADERS', 5, 1, adds));
    session.feed(headersWith(3, refers), message(3, 'y', true));
    expect(session.response(3).messages).toEqual(['y']);
  });

  it.each([
    ['a second HEADERS without END_STREAM', headers(1, { fields: [['x-sum', '1']] })],
    ['a second HEADERS like the first', headers(1)],
    ['trailers with a pseudo-header field', trailers(1, [[':path', paths.unary]])],
    ['trailers with a name in upper case', trailers(1, [['X-Sum', '1']])],
    ['trailers that are too large', trailers(1, [['x', 'v'.repeat(16_352)]])],
  ])('%s: a stream error', (_, octets) => {
    const session = new TestSession({ answer: echo });
    session.feed(headers(1), message(1, 'x'));
    expect(session.feed(octets)).toEqual(['RST_STREAM 1 PROTOCOL_ERROR']);
    expect(session.faults).toEqual(['malformed']);
    expect(session.feed(wholeCall(3)).at(-1)).toMatch(/grpc-status=0/);
  });

  it.each<[string, Buffer[]]>([
    ['HEADERS', [headers(1, { endStream: true })]],
    ['an empty DATA frame', [headers(1), data(1, none, true)]],
    ['trailers', [headers(1), trailers(1)]],
  ])('%s with END_STREAM and without a message: INTERNAL', (_, octets) => {
    const session = new TestSession({ answer: echo });
    session.feed(...octets);
    expect(session.response(1)).toMatchObject({ last: { 'grpc-status': '13' }, reset: undefined });
    expect(session.calls).toEqual([]);
    expect(session.faults).toEqual(['bad-message']);
  });
});

describe('a stream whose client has ended it (half-closed)', () => {
  it.each([
    ['DATA', data(1, Buffer.of(1))],
    ['empty DATA with END_STREAM', data(1, none, true)],
    ['HEADERS', headers(1)],
    ['trailers', trailers(1)],
  ])('%s is a stream error STREAM_CLOSED', (_, octets) => {
    const session = new TestSession();
    session.feed(wholeCall(1));
    expect(session.feed(octets)).toEqual(['RST_STREAM 1 STREAM_CLOSED']);
    expect(session.faults).toEqual(['stream-closed']);
    expect(session.lastCall.call.signal.aborted).toBe(true);
  });

  it('WINDOW_UPDATE, RST_STREAM and PRIORITY are taken', () => {
    const session = new TestSession();
    session.feed(wholeCall(1), wholeCall(3));
    const priority = frame('PRIORITY', 0, 1, Buffer.from([0, 0, 0, 0, 1]));
    expect(session.feed(windowUpdate(1, 10), priority, reset(1))).toEqual([]);
    expect(session.session.streams.size).toBe(1);
  });
});

describe('a stream that is closed', () => {
  it('DATA is a stream error STREAM_CLOSED, once', () => {
    const session = new TestSession({ answer: echo });
    session.feed(wholeCall(1));
    expect(session.feed(data(1, Buffer.of(1)))).toEqual(['RST_STREAM 1 STREAM_CLOSED']);
    expect(session.feed(data(1, Buffer.of(1)), data(1, none, true))).toEqual([]);
    expect(session.faults).toEqual(['stream-closed']);
  });

  it('DATA behind the RST_STREAM of its client is one too', () => {
    const session = new TestSession();
    session.feed(headers(1));
    expect(session.feed(reset(1), data(1, Buffer.of(1)))).toEqual(['RST_STREAM 1 STREAM_CLOSED']);
  });

  it('HEADERS are a connection error STREAM_CLOSED', () => {
    const session = new TestSession();
    expect(session.feed(headers(1), reset(1), headers(1))).toEqual(['GOAWAY 1 STREAM_CLOSED protocol']);
  });

  it.each([
    ['WINDOW_UPDATE', windowUpdate(1, 2 ** 31 - 1)],
    ['RST_STREAM', reset(1)],
  ])('%s is ignored', (_, octets) => {
    const session = new TestSession({ answer: echo });
    session.feed(wholeCall(1));
    expect(session.feed(octets)).toEqual([]);
    expect(session.session.state).toBe('open');
  });
});

describe('what still comes for a stream that was reset here', () => {
  const resets: [string, (session: TestSession) => void, string][] = [
    ['refused', (session) => session.feed(headers(1), headers(3), headers(5)), 'RST_STREAM 5 REFUSED_STREAM'],
    [
      'malformed',
      (session) => session.feed(headers(5, { more: [['connection', 'close']] })),
      'RST_STREAM 5 PROTOCOL_ERROR',
    ],
    [
      'with too large a header list',
      (session) => session.feed(headers(5, { more: [['x', 'v'.repeat(16_200)]] })),
      'RST_STREAM 5 ENHANCE_YOUR_CALM',
    ],
    [
      'answered before its end',
      (session) => session.feed(headers(5, { path: '/no.such/Method' })),
      'RST_STREAM 5 NO_ERROR',
    ],
  ];

  it.each(resets)('is ignored: %s', (_, start, resetting) => {
    const session = new TestSession({ answer: echo, limits: { maxConcurrentStreams: 2 } });
    start(session);
    const before = session.frames.length;
    expect(session.frames.filter(({ type }) => type === 'RST_STREAM')).toHaveLength(1);
    const faults = session.faults.length;
    expect(session.feed(message(5, 'x'), data(5, none), windowUpdate(5, 1), reset(5))).toEqual([]);
    expect(session.feed(frame('HEADERS', flags.END_HEADERS | flags.END_STREAM, 5, adds))).toEqual([]);
    expect(session.frames.length).toBe(before);
    expect(session.faults).toHaveLength(faults);
    expect(session.calls).toEqual([]);
    // The header block was decoded.
    session.feed(reset(1), headersWith(7, refers), message(7, 'y', true));
    expect(session.response(7).messages).toEqual(['y']);
    expect(resetting).toContain(session.response(5).reset);
  });

  it('of the last 2 x 1024 of them at least, as so many may be open before SETTINGS are known', () => {
    const session = new TestSession({ limits: { maxConcurrentStreams: 2 } });
    session.feed(headers(1), headers(3));
    const ids = Array.from({ length: 2_049 }, (_, i) => 5 + 2 * i);
    session.feed(...ids.map((id) => headers(id)));
    expect(session.feed(...ids.slice(1).map((id) => message(id, 'x', true)))).toEqual([]);
    expect(session.feed(message(5, 'x', true))).toEqual(['RST_STREAM 5 STREAM_CLOSED']);
  });
});

describe('MAX_CONCURRENT_STREAMS', () => {
  const limits = { maxConcurrentStreams: 2 };

  it('what is above is refused, and no more than that', () => {
    const session = new TestSession({ limits });
    expect(session.feed(headers(1), headers(3), wholeCall(5))).toEqual(['RST_STREAM 5 REFUSED_STREAM']);
    expect(session.faults).toEqual(['refused']);
    session.feed(reset(1), wholeCall(7));
    expect(session.calls).toHaveLength(1);
  });

  it('binds when SETTINGS are acknowledged: up to 1024 are taken before', () => {
    const session = new TestSession({ limits, greet: false });
    session.feed(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame('SETTINGS', 0, 0));
    for (let id = 1; id < 2_048; id += 2) expect(session.feed(headers(id))).toEqual([]);
    expect(session.session.streams.size).toBe(1_024);
    expect(session.feed(headers(2_049))).toEqual(['RST_STREAM 2049 REFUSED_STREAM']);
    // Later than at once, which would be a rapid reset.
    session.now += 10;
    session.feed(...Array.from({ length: 1_023 }, (_, index) => reset(2 * index + 1)));
    expect(session.feed(settingsAck, headers(2_051), headers(2_053))).toEqual([
      'RST_STREAM 2053 REFUSED_STREAM',
    ]);
  });

  it('a call that was answered has no place', () => {
    const session = new TestSession({ limits, answer: echo });
    for (let id = 1; id < 100; id += 2) session.feed(wholeCall(id));
    expect(session.calls).toHaveLength(50);
    expect(session.session.streams.places).toBe(0);
  });
});

describe('RST_STREAM cancels, whatever its code', () => {
  it.each(errorCodes.map((name, code) => [name, code]))('%s', (_, code) => {
    const session = new TestSession();
    session.feed(wholeCall(1));
    const { call } = session.lastCall;
    expect(call.signal.aborted).toBe(false);
    expect(session.feed(reset(1, Number(code)))).toEqual([]);
    expect(call.signal.aborted).toBe(true);
    reply(call, 'too late');
    call.fail({ kind: 'status', code: 'UNAVAILABLE', message: '' });
    expect(session.written()).toEqual([]);
    expect(session.faults).toEqual([]);
  });

  it('also before the request is over', () => {
    const session = new TestSession({ answer: echo });
    session.feed(headers(1), message(1, 'x').subarray(0, 12), message(1, 'x').subarray(12));
    expect(session.feed(reset(1))).toEqual([]);
    expect(session.session.streams.size).toBe(0);
    expect(session.calls).toEqual([]);
  });

  it('the place is free when the work is over, not before', () => {
    const session = new TestSession({ limits: { maxConcurrentStreams: 1 } });
    session.feed(wholeCall(1), reset(1));
    expect(session.feed(wholeCall(3))).toEqual(['RST_STREAM 3 REFUSED_STREAM']);
    reply(session.lastCall.call, 'x');
    session.feed(wholeCall(5));
    expect(session.calls).toHaveLength(2);
    expect(session.session.streams.places).toBe(1);
  });

  it('so it is when the stream was reset here: CVE-2025-8671', () => {
    const session = new TestSession({ limits: { maxConcurrentStreams: 1 } });
    session.feed(wholeCall(1));
    expect(session.feed(windowUpdate(1, 0))).toEqual(['RST_STREAM 1 PROTOCOL_ERROR']);
    expect(session.feed(wholeCall(3))).toEqual(['RST_STREAM 3 REFUSED_STREAM']);
    reply(session.lastCall.call, 'x');
    expect(session.written()).toEqual([]);
    session.feed(wholeCall(5));
    expect(session.calls).toHaveLength(2);
  });
});
