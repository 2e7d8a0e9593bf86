import { describe, expect, it } from 'vitest';
import { reset, settings, windowUpdate } from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  reply,
  TestSession,
  type TestSessionOptions,
  wholeCall,
} from '../../../test/support/http2-session.ts';

const maxInt31 = 2 ** 31 - 1;
const head = (id: number) => `HEADERS ${id} :status=200 content-type=application/grpc`;
const end = (id: number) => `HEADERS ${id} grpc-status=0, end`;

/** A client whose streams begin with so much of a window. Calls are answered with what they asked. */
function withWindow(window: number, options: TestSessionOptions = {}): TestSession {
  return new TestSession({ answer: echo, settings: [[4, window]], ...options });
}

describe('the window of a stream', () => {
  it('of 0 holds DATA and what follows it, but not HEADERS', () => {
    const session = withWindow(0);
    expect(session.feed(wholeCall(1, 'abc'))).toEqual([head(1)]);
    expect(session.feed(windowUpdate(1, 8))).toEqual(['DATA 1 8 octets', end(1)]);
    expect(session.response(1).messages).toEqual(['abc']);
  });

  it('of 1 lets through an octet, and then as many as are added', () => {
    const session = withWindow(1);
    expect(session.feed(wholeCall(1, 'abc'))).toEqual([head(1), 'DATA 1 1 octets']);
    expect(session.feed(windowUpdate(1, 1))).toEqual(['DATA 1 1 octets']);
    expect(session.feed(windowUpdate(1, 5))).toEqual(['DATA 1 5 octets']);
    expect(session.feed(windowUpdate(1, 100))).toEqual(['DATA 1 1 octets', end(1)]);
    expect(session.response(1).messages).toEqual(['abc']);
  });

  it('that is just enough holds nothing', () => {
    expect(withWindow(8).feed(wholeCall(1, 'abc'))).toEqual([head(1), 'DATA 1 8 octets', end(1)]);
    expect(withWindow(7).feed(wholeCall(1, 'abc'))).toEqual([head(1), 'DATA 1 7 octets']);
  });

  it('may be opened before there is an answer', () => {
    const session = withWindow(0);
    session.feed(headers(1), windowUpdate(1, 3));
    expect(session.feed(wholeCall(1, 'abc').subarray(headers(1).length))).toEqual([
      head(1),
      'DATA 1 3 octets',
    ]);
  });

  it('does not hold a status without a message', () => {
    const session = withWindow(0);
    expect(session.feed(wholeCall(1, 'x', { path: '/no.such/Method' })).at(0)).toMatch(
      /grpc-status=12.*, end$/,
    );
  });

  it('moves with INITIAL_WINDOW_SIZE, for each open stream', () => {
    const session = withWindow(5);
    session.feed(wholeCall(1, 'abc'), wholeCall(3, 'abcdefghij'));
    expect(session.feed(settings([4, 9]))).toEqual([
      'SETTINGS ack',
      'DATA 1 3 octets',
      end(1),
      'DATA 3 4 octets',
    ]);
    expect(session.feed(wholeCall(5, 'abcdefghij'))).toEqual([head(5), 'DATA 5 9 octets']);
  });

  it('moves below zero with INITIAL_WINDOW_SIZE', () => {
    const session = withWindow(10);
    session.feed(wholeCall(1, 'abcdefghijklmnopqrst'));
    expect(session.feed(settings([4, 2]))).toEqual(['SETTINGS ack']);
    expect(session.session.streams.get(1)?.sendWindow).toBe(-8);
    expect(session.feed(windowUpdate(1, 8))).toEqual([]);
    expect(session.feed(windowUpdate(1, 1))).toEqual(['DATA 1 1 octets']);
    expect(session.feed(settings([4, 4]))).toEqual(['SETTINGS ack', 'DATA 1 2 octets']);
    expect(session.feed(wholeCall(3, 'abc'))).toEqual([head(3), 'DATA 3 4 octets']);
  });

  it.each([
    ['WINDOW_UPDATE of 0', 0, 'PROTOCOL_ERROR', 'stream-protocol'],
    ['a sum above 2^31-1', maxInt31 - 9, 'FLOW_CONTROL_ERROR', 'stream-flow-control'],
  ])('%s is an error of the stream', (_, increment, error, fault) => {
    const session = withWindow(10);
    session.feed(headers(1));
    expect(session.feed(windowUpdate(1, increment))).toEqual([`RST_STREAM 1 ${error}`]);
    expect(session.faults).toEqual([fault]);
    expect(session.feed(wholeCall(3, 'abc'))).toContain(end(3));
  });

  it('a sum of 2^31-1 is none', () => {
    const session = withWindow(10);
    session.feed(headers(1));
    expect(session.feed(windowUpdate(1, maxInt31 - 10))).toEqual([]);
    expect(session.faults).toEqual([]);
  });

  it('INITIAL_WINDOW_SIZE that makes one larger than 2^31-1 is a connection error', () => {
    const session = withWindow(10);
    session.feed(headers(1), windowUpdate(1, 100));
    expect(session.feed(settings([4, maxInt31 - 100]))).toEqual(['SETTINGS ack']);
    expect(session.feed(settings([4, maxInt31 - 99])).at(-1)).toBe(
      'GOAWAY 1 FLOW_CONTROL_ERROR flow-control',
    );
  });
});

describe('the window of the connection', () => {
  /** Answers of as many octets as the message says. */
  const sized: TestSessionOptions = {
    answer: (call, message) => reply(call, 'x'.repeat(Number(message) - 5)),
  };

  it('of 65535 is shared by all streams, in the order of their answers', () => {
    const session = withWindow(maxInt31, sized);
    const words = session.feed(wholeCall(1, '40000'), wholeCall(3, '40000'), wholeCall(5, '8'));
    expect(words.filter((line) => line.startsWith('DATA'))).toEqual([
      'DATA 1 16384 octets',
      'DATA 1 16384 octets',
      'DATA 1 7232 octets',
      'DATA 3 16384 octets',
      'DATA 3 9151 octets',
    ]);
    expect(session.feed(windowUpdate(0, 10_000))).toEqual(['DATA 3 10000 octets']);
    expect(session.feed(windowUpdate(0, 4_466))).toEqual(['DATA 3 4465 octets', end(3), 'DATA 5 1 octets']);
    expect(session.feed(windowUpdate(0, 7))).toEqual(['DATA 5 7 octets', end(5)]);
  });

  it('INITIAL_WINDOW_SIZE does not move it', () => {
    const session = withWindow(100_000, sized);
    session.feed(wholeCall(1, '65535'));
    session.feed(settings([4, 200_000]));
    expect(session.feed(wholeCall(3, '8'))).toEqual([head(3)]);
  });

  it.each([
    ['WINDOW_UPDATE of 0', 0, 'PROTOCOL_ERROR protocol'],
    ['a sum above 2^31-1', maxInt31 - 65_534, 'FLOW_CONTROL_ERROR flow-control'],
  ])('%s is a connection error', (_, increment, error) => {
    expect(withWindow(10).feed(windowUpdate(0, increment))).toEqual([`GOAWAY 0 ${error}`]);
  });

  it('a sum of 2^31-1 is none', () => {
    expect(withWindow(10).feed(windowUpdate(0, maxInt31 - 65_535))).toEqual([]);
  });
});

describe('an answer that is held', () => {
  it('has its status behind it, also one that is no OK', () => {
    const session = withWindow(0, { answer: (call) => reply(call, 'abc') });
    session.feed(wholeCall(1));
    expect(session.feed(windowUpdate(1, 5))).toEqual(['DATA 1 5 octets']);
    expect(session.feed(windowUpdate(1, 5))).toEqual(['DATA 1 3 octets', end(1)]);
  });

  it('that is no gRPC has END_STREAM on the last of it', () => {
    const session = withWindow(10);
    session.feed(
      headers(1, {
        fields: [
          [':method', 'GET'],
          [':scheme', 'http'],
          [':path', '/'],
        ],
        endStream: true,
      }),
    );
    const body = 'This port speaks gRPC: content-type application/grpc.\n';
    expect(session.feed(windowUpdate(1, 1_000))).toEqual([`DATA 1 ${body.length - 10} octets, end`]);
    expect(session.response(1)).toMatchObject({ head: { ':status': '415' }, body, hasEnded: true });
    expect(session.session.streams.size).toBe(0);
  });

  it('before the end of the request is followed by RST_STREAM, not overtaken', () => {
    const session = withWindow(0, { limits: { receiveTimeoutMs: 100 } });
    session.feed(
      headers(1, {
        fields: [
          [':method', 'GET'],
          [':scheme', 'http'],
          [':path', '/'],
        ],
      }),
    );
    expect(session.tick(101)).toEqual(['HEADERS 1 :status=415 content-type=text/plain']);
    expect(session.tick(1_000)).toEqual([]);
    expect(session.feed(windowUpdate(1, 1_000))).toEqual([
      expect.stringMatching(/^DATA 1 \d+ octets, end$/),
      'RST_STREAM 1 NO_ERROR',
    ]);
    expect(session.faults).toEqual(['not-grpc']);
  });

  it('is not given again when the request ends after all', () => {
    const session = withWindow(0, { limits: { receiveTimeoutMs: 100 } });
    session.feed(
      headers(1, {
        fields: [
          [':method', 'GET'],
          [':scheme', 'http'],
          [':path', '/'],
        ],
      }),
    );
    session.tick(101);
    expect(session.feed(data(1, Buffer.of(1), true))).toEqual([]);
    expect(session.feed(windowUpdate(1, 1_000))).toEqual([expect.stringMatching(/^DATA 1 \d+ octets, end$/)]);
    expect(session.faults).toEqual(['not-grpc']);
  });

  it('is dropped with its stream', () => {
    const session = withWindow(0);
    session.feed(wholeCall(1, 'abc'), wholeCall(3, 'abc'), reset(1));
    expect(session.session.outbound.heldBytes).toBe(8);
    expect(session.feed(windowUpdate(1, 100), windowUpdate(0, 100), windowUpdate(3, 8))).toEqual([
      'DATA 3 8 octets',
      end(3),
    ]);
    expect(session.session.outbound.heldBytes).toBe(0);
  });

  it('keeps the place of its stream', () => {
    const session = withWindow(0, { limits: { maxConcurrentStreams: 2 } });
    session.feed(wholeCall(1), wholeCall(3));
    expect(session.feed(wholeCall(5))).toEqual(['RST_STREAM 5 REFUSED_STREAM']);
    session.feed(windowUpdate(1, 6));
    expect(session.feed(wholeCall(7))).toEqual([head(7)]);
  });
});

describe('what is held', () => {
  it('is so much and no more: an answer above is given up', () => {
    const session = withWindow(0, { limits: { maxUnsentBytes: 16 } });
    session.feed(wholeCall(1, 'abc'), wholeCall(3, 'abc'));
    expect(session.faults).toEqual([]);
    expect(session.feed(wholeCall(5, ''))).toEqual([head(5), 'RST_STREAM 5 INTERNAL_ERROR']);
    expect(session.faults).toEqual(['unsent']);
    expect(session.feed(windowUpdate(1, 8))).toEqual(['DATA 1 8 octets', end(1)]);
    expect(session.feed(wholeCall(7, 'abc'))).toEqual([head(7)]);
    expect(session.feed(windowUpdate(3, 8), windowUpdate(7, 8))).toContain(end(7));
  });

  it('is bounded when a client with windows of 0 asks ten thousand times', () => {
    const session = withWindow(0);
    for (let id = 1; id < 20_000; id += 2) session.feed(wholeCall(id, 'x'.repeat(130)));
    expect(session.calls).toHaveLength(1_024);
    expect(session.session.outbound.heldBytes).toBe(1_024 * 135);
    expect(session.session.streams.size).toBe(1_024);
    expect(session.faults).toEqual(Array(10_000 - 1_024).fill('refused'));
    expect(session.session.state).toBe('open');
  });
});

describe('HEADER_TABLE_SIZE of a client', () => {
  it.each([0, 256, 4_095])(
    'of %i, less than what holds by default: the next block says that there is no table',
    (size) => {
      const session = withWindow(100, { settings: [[1, size]] });
      expect(session.feed(wholeCall(1))[0]).toMatch(/^HEADERS 1 table-size=0 :status=200 /);
      expect(session.feed(wholeCall(3))[0]).toMatch(/^HEADERS 3 :status=200 /);
      session.feed(settings([1, size]));
      expect(session.feed(wholeCall(5))[0]).toMatch(/^HEADERS 5 table-size=0 /);
    },
  );

  it.each([4_096, 65_536])('of %i: nothing is to be said', (size) => {
    const session = withWindow(100, { settings: [[1, size]] });
    expect(session.feed(wholeCall(1))[0]).toMatch(/^HEADERS 1 :status=200 /);
  });

  it('that was lowered and raised again was lowered', () => {
    const session = withWindow(100);
    session.feed(settings([1, 0]), settings([1, 4_096]));
    expect(session.feed(wholeCall(1))[0]).toMatch(/^HEADERS 1 table-size=0 /);
  });

  it('is told before trailers that were held', () => {
    const session = withWindow(0);
    session.feed(wholeCall(1, 'abc'), settings([1, 0]));
    expect(session.feed(windowUpdate(1, 8))).toEqual([
      'DATA 1 8 octets',
      'HEADERS 1 table-size=0 grpc-status=0, end',
    ]);
  });
});
