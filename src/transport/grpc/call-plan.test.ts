import { describe, expect, it } from 'vitest';
import { callFields } from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  paths,
  TestSession,
  wholeCall,
} from '../../../test/support/http2-session.ts';

function fieldsWith(name: string, value: string, path: string = paths.unary): [string, string][] {
  return callFields(path).map(([each, before]) => [each, each === name ? value : before]);
}

function without(name: string): (readonly [string, string])[] {
  return callFields(paths.unary).filter(([each]) => each !== name);
}

describe('content-type', () => {
  it.each([
    'application/grpc',
    'application/grpc+proto',
    'application/grpc+json',
    'application/grpc;charset=utf-8',
    'application/grpc; x=y',
    'Application/gRPC',
  ])('%s: gRPC, and answered as application/grpc', (contentType) => {
    const session = new TestSession({ answer: echo });
    session.feed(headers(1, { fields: fieldsWith('content-type', contentType) }), message(1, 'x', true));
    expect(session.response(1)).toMatchObject({
      head: { ':status': '200', 'content-type': 'application/grpc' },
      messages: ['x'],
      last: { 'grpc-status': '0' },
    });
  });

  const others = [
    'application/grpc-web',
    'application/grpc-web+proto',
    'application/grpc-web-text',
    'application/grpcx',
    'application/grpc ',
    'application/grp',
    'application/json',
    'text/plain; application/grpc',
    '',
  ].map((value) => [value, fieldsWith('content-type', value)] as const);

  it.each([...others, ['none', without('content-type')] as const])('%j: 415, in HTTP', (_, fields) => {
    const session = new TestSession({ answer: echo });
    const words = session.feed(headers(1, { fields }), message(1, 'x', true));
    expect(words).toEqual([
      'HEADERS 1 :status=415 content-type=text/plain',
      expect.stringMatching(/^DATA 1 \d\d octets, end$/),
    ]);
    expect(session.response(1).body).toMatch(/^[ -~]+\n$/);
    expect(session.faults).toEqual(['not-grpc']);
    expect(session.calls).toEqual([]);
  });
});

describe('the method', () => {
  it.each(['GET', 'PUT', 'OPTIONS', 'post'])('%s: 405', (method) => {
    const session = new TestSession({ answer: echo });
    const words = session.feed(headers(1, { fields: fieldsWith(':method', method) }), message(1, 'x', true));
    expect(words).toEqual([
      'HEADERS 1 :status=405 content-type=text/plain grpc-status=13',
      expect.stringMatching(/^DATA 1 \d\d octets, end$/),
    ]);
    expect(session.faults).toEqual(['not-grpc']);
  });

  it.each([
    ['application/grpc', ':status=405 content-type=text/plain grpc-status=13'],
    ['text/html', ':status=415 content-type=text/plain'],
  ])('HEAD of %s: without content', (contentType, answer) => {
    const session = new TestSession({ answer: echo });
    const fields = fieldsWith(':method', 'HEAD').map(([name, value]): [string, string] => [
      name,
      name === 'content-type' ? contentType : value,
    ]);
    expect(session.feed(headers(1, { fields, endStream: true }))).toEqual([`HEADERS 1 ${answer}, end`]);
    expect(session.faults).toEqual(['not-grpc']);
  });

  it('of what is no gRPC at all does not matter: 415', () => {
    const session = new TestSession();
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
    expect(session.response(1)).toMatchObject({
      head: { ':status': '415' },
      hasEnded: true,
      reset: undefined,
    });
  });
});

describe('an answer in HTTP', () => {
  it('waits for the end of the request', () => {
    const session = new TestSession();
    const fields = fieldsWith('content-type', 'text/html');
    expect(session.feed(headers(1, { fields }), data(1, Buffer.alloc(100)))).toEqual([]);
    expect(session.feed(data(1, Buffer.alloc(0), true))[0]).toMatch(/^HEADERS 1 :status=415/);
    session.feed(headers(3, { fields }), headers(3, { fields: [], endStream: true }));
    expect(session.response(3)).toMatchObject({ head: { ':status': '415' }, reset: undefined });
  });

  it('does not wait for ever', () => {
    const session = new TestSession({ limits: { receiveTimeoutMs: 100 } });
    session.feed(headers(1, { fields: without('content-type') }));
    expect(session.tick(100)).toEqual([]);
    expect(session.tick(1)).toEqual([
      'HEADERS 1 :status=415 content-type=text/plain',
      expect.stringMatching(/^DATA 1 \d\d octets, end$/),
      'RST_STREAM 1 NO_ERROR',
    ]);
  });
});

describe('the path', () => {
  it.each(['/no.such/Method', `${paths.unary}/`, `${paths.unary}?x`, paths.unary.toLowerCase(), '*', 'x'])(
    '%s is not known: UNIMPLEMENTED, at once',
    (path) => {
      const session = new TestSession({ answer: echo });
      // Clients of server reflection keep the stream open until there is an answer.
      expect(session.feed(headers(1, { path }))).toEqual([
        expect.stringMatching(
          /^HEADERS 1 :status=200 content-type=application\/grpc grpc-status=12 grpc-message=.*, end$/,
        ),
        'RST_STREAM 1 NO_ERROR',
      ]);
      expect(session.response(1).last['grpc-message']).toContain(path);
      expect(session.faults).toEqual(['unknown-method']);
      expect(session.feed(message(1, 'x', true))).toEqual([]);
    },
  );

  it('that is not known: no RST_STREAM when the request has ended already', () => {
    const session = new TestSession();
    const words = session.feed(headers(1, { path: '/no.such/Method', endStream: true }));
    expect(words).toEqual([expect.stringMatching(/grpc-status=12 .*, end$/)]);
  });

  it('is told in part only when it is long', () => {
    const session = new TestSession();
    session.feed(headers(1, { path: `/${'x'.repeat(10_000)}` }));
    expect(session.response(1).last['grpc-message']?.length).toBeLessThan(300);
  });
});

describe('grpc-timeout', () => {
  it.each(['1', '123456789m', '1.5S', '-1m', '1s'])('%s is malformed: INTERNAL, at once', (value) => {
    const session = new TestSession({ answer: echo });
    expect(session.feed(headers(1, { more: [['grpc-timeout', value]] }))).toEqual([
      expect.stringMatching(/ grpc-status=13 .*, end$/),
      'RST_STREAM 1 NO_ERROR',
    ]);
    expect(session.faults).toEqual(['bad-timeout']);
  });

  it.each([
    ['59995081u', 59_995.081],
    ['1374684n', 1.374684],
    ['250m', 250],
    ['99999999H', 99_999_999 * 3_600_000],
  ])('%s: the handler knows until when', (value, ms) => {
    const session = new TestSession({ answer: echo });
    session.feed(wholeCall(1, 'x', { more: [['grpc-timeout', value]] }));
    expect(session.lastCall.call.deadline).toBeCloseTo(session.now + ms, 3);
    expect(session.response(1).messages).toEqual(['x']);
  });

  it('without one there is no deadline', () => {
    const session = new TestSession({ answer: echo });
    session.feed(wholeCall(1));
    expect(session.lastCall.call.deadline).toBeUndefined();
  });

  it('runs from the arrival of HEADERS, also where the same are remembered', () => {
    const session = new TestSession();
    for (const id of [1, 3]) {
      session.feed(headers(id, { more: [['grpc-timeout', '1S']] }));
      session.now += 400;
      session.feed(message(id, 'x', true));
      expect(session.lastCall.call.deadline).toBe(session.now + 600);
    }
  });
});
