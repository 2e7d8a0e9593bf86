import { describe, expect, it } from 'vitest';
import { block, callFields, flags, frame } from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  paths,
  TestSession,
  wholeCall,
} from '../../../test/support/http2-session.ts';

type Fields = readonly (readonly [string, string])[];

const usual = callFields(paths.unary);

function without(name: string): Fields {
  return usual.filter(([each]) => each !== name);
}

function withValue(name: string, value: string): Fields {
  return usual.map(([each, before]) => [each, each === name ? value : before]);
}

function inFront(first: readonly [string, string]): Fields {
  return [first, ...usual];
}

function behind(...last: Fields): Fields {
  return [...usual, ...last];
}

describe('a request that is malformed is a stream error', () => {
  it.each<[string, Fields]>([
    ['a name in upper case', behind(['X-Id', '1'])],
    ['a pseudo-header field in upper case', [...without(':path'), [':Path', paths.unary]]],
    ['no :method', without(':method')],
    ['no :scheme', without(':scheme')],
    ['no :path', without(':path')],
    ['an empty :path', withValue(':path', '')],
    [
      'CONNECT, which has no :path and :scheme',
      [
        [':method', 'CONNECT'],
        [':authority', 'weir'],
      ],
    ],
    ['two :method', inFront([':method', 'POST'])],
    ['two :scheme', inFront([':scheme', 'http'])],
    ['two :path', inFront([':path', paths.unary])],
    ['two :authority', inFront([':authority', 'test'])],
    ['a pseudo-header field of responses', inFront([':status', '200'])],
    ['a pseudo-header field that was not agreed on', inFront([':protocol', 'websocket'])],
    ['a pseudo-header field without a name', inFront([':', ''])],
    ['a pseudo-header field behind others', [...without(':authority'), [':authority', 'test']]],
    ['connection', behind(['connection', 'close'])],
    ['keep-alive', behind(['keep-alive', 'timeout=5'])],
    ['proxy-connection', behind(['proxy-connection', 'keep-alive'])],
    ['transfer-encoding', behind(['transfer-encoding', 'chunked'])],
    ['upgrade', behind(['upgrade', 'h2c'])],
    ['te with something else', withValue('te', 'gzip')],
    ['te with something more', withValue('te', 'trailers, deflate')],
    ['an empty name', behind(['', '1'])],
    ['a name with a blank', behind(['x id', '1'])],
    ['a name with a colon', behind(['x:id', '1'])],
    ['a name with a control octet', behind(['x\x07id', '1'])],
    ['a name with DEL', behind(['x\x7f', '1'])],
    ['a name that is not ASCII', behind(['\xfcber', '1'])],
    ['a value with NUL', behind(['x-id', 'a\0b'])],
    ['a value with CR', behind(['x-id', 'a\rb'])],
    ['a value with LF', behind(['x-id', 'a\nb'])],
    ['a :path with LF', withValue(':path', `${paths.unary}\n`)],
    ['a content-length that is no number', behind(['content-length', '6 '])],
    ['a content-length below zero', behind(['content-length', '-6'])],
    ['an empty content-length', behind(['content-length', ''])],
    ['two content-length that differ', behind(['content-length', '6'], ['content-length', '7'])],
  ])('%s', (_, fields) => {
    const session = new TestSession({ answer: echo });
    expect(session.feed(headers(1, { fields }), message(1, 'x', true))).toEqual([
      'RST_STREAM 1 PROTOCOL_ERROR',
    ]);
    expect(session.faults).toEqual(['malformed']);
    expect(session.calls).toEqual([]);
    session.feed(wholeCall(3, 'others go on'));
    expect(session.response(3).messages).toEqual(['others go on']);
  });
});

describe('a request that is not malformed', () => {
  it.each<[string, Fields]>([
    ['as usual', usual],
    ['without te', without('te')],
    ['without :authority', without(':authority')],
    ['with an empty :authority', withValue(':authority', '')],
    ['with pseudo-header fields in another order', [...usual.slice(0, 4).reverse(), ...usual.slice(4)]],
    ['with a field several times', behind(['cookie', 'a=1'], ['cookie', 'b=2'])],
    ['with an empty value', behind(['tracestate', ''])],
    ['with a value that is not ASCII', behind(['x-id', '\xff\xfe'])],
    ['with -bin that is not base64', behind(['x-bin', '!!!'])],
    ['with all that a name may have', behind(["!#$%&'*+-.^_`|~09az", '1'])],
    ['with the length of its DATA', behind(['content-length', '6'])],
    ['with that twice', behind(['content-length', '6'], ['content-length', '6'])],
  ])('%s', (_, fields) => {
    const session = new TestSession({ answer: echo });
    session.feed(headers(1, { fields }), message(1, 'x', true));
    expect(session.response(1).messages).toEqual(['x']);
    expect(session.faults).toEqual([]);
  });
});

describe('content-length', () => {
  const withLength = (length: number, endStream = false) =>
    headers(1, { more: [['content-length', String(length)]], endStream });
  const malformed = ['RST_STREAM 1 PROTOCOL_ERROR'];

  it.each([
    ['less than DATA', [withLength(5), message(1, 'x', true)]],
    ['less than DATA, at once', [withLength(5), message(1, 'x')]],
    ['more than DATA', [withLength(7), message(1, 'x', true)]],
    [
      'more than DATA, which ends with an empty frame',
      [withLength(7), message(1, 'x'), data(1, Buffer.alloc(0), true)],
    ],
    [
      'more than DATA, which ends with trailers',
      [withLength(7), message(1, 'x'), headers(1, { fields: [], endStream: true })],
    ],
    ['more than nothing', [withLength(1, true)]],
  ])('%s: a stream error', (_, octets) => {
    const session = new TestSession({ answer: echo });
    expect(session.feed(...octets)).toEqual(malformed);
    expect(session.faults).toEqual(['malformed']);
    session.feed(wholeCall(3));
    expect(session.response(3).messages).toEqual(['x']);
  });

  it('padding is no part of it', () => {
    const session = new TestSession({ answer: echo });
    const padded = Buffer.concat([Buffer.of(4), message(1, 'x').subarray(9), Buffer.alloc(4)]);
    session.feed(withLength(6), frame('DATA', flags.PADDED | flags.END_STREAM, 1, padded));
    expect(session.response(1).messages).toEqual(['x']);
  });

  it.each([
    ['DATA in pieces', [message(1, 'x').subarray(9, 12), message(1, 'x').subarray(12)]],
    ['an empty frame between', [message(1, 'x').subarray(9), Buffer.alloc(0)]],
  ])('is the sum of DATA: %s', async (_, pieces) => {
    const session = new TestSession({ answer: echo });
    session.feed(withLength(6), ...pieces.map((piece, index) => data(1, piece, index === pieces.length - 1)));
    await session.settled();
    expect(session.response(1).messages).toEqual(['x']);
  });

  it('of 0 with END_STREAM is a request without DATA', () => {
    const session = new TestSession();
    session.feed(withLength(0, true));
    expect(session.response(1).last).toMatchObject({ 'grpc-status': '13' });
  });
});

describe('blocks that are equal', () => {
  const octets = block(usual);
  const head = (id: number, content: Buffer) => frame('HEADERS', flags.END_HEADERS, id, content);
  const adds = (value: string) => Buffer.concat([Buffer.of(0x44, value.length), Buffer.from(value)]);
  const prefix = block(usual.filter(([name]) => name.startsWith(':') && name !== ':path'));
  const rest = block(usual.filter(([name]) => !name.startsWith(':')));
  const newest = Buffer.of(0xbe);

  it('mean the same request', () => {
    const session = new TestSession({ answer: echo });
    for (const id of [1, 3, 5]) session.feed(head(id, octets), message(id, `call ${id}`, true));
    expect([1, 3, 5].map((id) => session.response(id).messages[0])).toEqual(['call 1', 'call 3', 'call 5']);
  });

  it('mean another when the table has changed', () => {
    const session = new TestSession({ answer: echo });
    const byIndex = Buffer.concat([prefix, newest, rest]);
    session.feed(head(1, Buffer.concat([prefix, adds(paths.unary), rest])), message(1, '1', true));
    session.feed(head(3, byIndex), message(3, '3', true), head(5, byIndex), message(5, '5', true));
    session.feed(head(7, Buffer.concat([prefix, adds('/test.Service/Other'), rest])));
    session.feed(head(9, byIndex), message(9, '9', true));
    expect([1, 3, 5, 7, 9].map((id) => session.response(id).last['grpc-status'])).toEqual([
      '0',
      '0',
      '0',
      '12',
      '12',
    ]);
  });

  it('add to the table each time', () => {
    const session = new TestSession({ answer: echo });
    const adding = Buffer.concat([prefix, adds(paths.unary), rest]);
    const oldest = Buffer.concat([prefix, Buffer.of(0xbf), rest]);
    session.feed(head(1, adding), message(1, '1', true), head(3, adding), message(3, '3', true));
    session.feed(head(5, oldest), message(5, '5', true));
    expect(session.response(5).messages).toEqual(['5']);
  });

  it('mean nothing when the table has lost what they refer to', () => {
    const session = new TestSession({ answer: echo });
    const byIndex = Buffer.concat([prefix, newest, rest]);
    session.feed(head(1, Buffer.concat([prefix, adds(paths.unary), rest])), message(1, '1', true));
    session.feed(head(3, byIndex), message(3, '3', true));
    // A table size update to 0 and back, in front of another request.
    const emptied = Buffer.concat([Buffer.of(0x20, 0x3f, 0xe1, 0x1f), octets]);
    session.feed(head(5, emptied), message(5, '5', true));
    expect(session.feed(head(7, byIndex))).toEqual(['GOAWAY 5 COMPRESSION_ERROR compression']);
  });

  it('are no request when they come as trailers', () => {
    const session = new TestSession({ answer: echo });
    session.feed(head(1, octets), message(1, '1', true), head(3, octets), message(3, '3'));
    expect(session.feed(frame('HEADERS', flags.END_HEADERS | flags.END_STREAM, 3, octets))).toEqual([
      'RST_STREAM 3 PROTOCOL_ERROR',
    ]);
  });
});
