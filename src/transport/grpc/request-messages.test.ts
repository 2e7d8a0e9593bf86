import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { grpcMessage } from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  paths,
  TestSession,
  type TestSessionOptions,
} from '../../../test/support/http2-session.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { StreamHandler } from '../handler.ts';

const none = Buffer.alloc(0);

/** A call whose request is these pieces of DATA, of which the last has END_STREAM. */
async function requestOf(
  pieces: readonly Buffer[],
  encoding: string | undefined = undefined,
  options: TestSessionOptions & { readonly path?: string } = {},
): Promise<TestSession> {
  const session = new TestSession({ answer: echo, watch: sayAll, ...options });
  const more = encoding === undefined ? [] : [['grpc-encoding', encoding] as const];
  session.feed(headers(1, { more, path: options.path ?? paths.unary }));
  pieces.forEach((piece, index) => {
    session.feed(data(1, piece, index === pieces.length - 1));
  });
  // What is compressed is decompressed by another thread.
  await waitUntil('an answer', () => {
    session.written();
    return session.response(1).hasEnded;
  });
  return session;
}

const sayAll: StreamHandler['handle'] = async function* (messages) {
  for await (const each of messages) yield Buffer.from(each);
};

/** Calls whose request is one message: both kinds read it alike. */
const kinds = [
  ['unary', paths.unary],
  ['server streaming', paths.watch],
] as const;

describe.each(kinds)('the message of a %s call', (_kind, path) => {
  const zipped = gzipSync('some text');

  it.each([
    ['not compressed', grpcMessage(Buffer.from('some text')), undefined],
    ['gzip', grpcMessage(zipped, 1), 'gzip'],
    ['flag 0 in a call with gzip, as of the C core', grpcMessage(Buffer.from('some text')), 'gzip'],
    ['flag 0 in a call with identity', grpcMessage(Buffer.from('some text')), 'identity'],
    ['flag 0 in a call with an encoding that is not known', grpcMessage(Buffer.from('some text')), 'zstd'],
    ['gzip in two members', grpcMessage(Buffer.concat([gzipSync('some '), gzipSync('text')]), 1), 'gzip'],
  ])('%s: is read', async (_, octets, encoding) => {
    const session = await requestOf([octets], encoding, { path });
    expect(session.response(1)).toMatchObject({ messages: ['some text'], last: { 'grpc-status': '0' } });
    expect(session.faults).toEqual([]);
  });

  it.each([
    ['flag 1 without an encoding', grpcMessage(zipped, 1), undefined],
    ['flag 1 with identity', grpcMessage(zipped, 1), 'identity'],
    ['flag 2', grpcMessage(zipped, 2), 'gzip'],
    ['flag 255', grpcMessage(zipped, 255), 'gzip'],
    ['gzip that is none', grpcMessage(Buffer.from('some text'), 1), 'gzip'],
    ['gzip that is cut', grpcMessage(zipped.subarray(0, -9), 1), 'gzip'],
    ['gzip whose check sum is wrong', grpcMessage(Buffer.from(zipped).fill(0, zipped.length - 8), 1), 'gzip'],
    ['gzip of nothing at all', grpcMessage(none, 1), 'gzip'],
    ['a prefix that is cut', Buffer.from([0, 0, 0]), undefined],
    ['a message that is cut', grpcMessage(Buffer.from('some text')).subarray(0, -1), undefined],
    ['a prefix alone', grpcMessage(Buffer.from('x')).subarray(0, 5), undefined],
    ['a second message', Buffer.concat([grpcMessage(Buffer.from('a')), grpcMessage(none)]), undefined],
    [
      'the beginning of a second message',
      Buffer.concat([grpcMessage(Buffer.from('a')), Buffer.of(0)]),
      undefined,
    ],
  ])('%s: INTERNAL', async (_, octets, encoding) => {
    const session = await requestOf([octets], encoding, { path });
    expect(session.response(1)).toMatchObject({ last: { 'grpc-status': '13' }, reset: undefined });
    expect(session.response(1).last['grpc-message']).toBeTruthy();
    expect(session.faults).toEqual(['bad-message']);
    expect(session.calls).toEqual([]);
    expect(session.session.streams.places).toBe(0);
  });

  it.each(['zstd', 'br', 'deflate', 'GZIP', 'gzip, br'])(
    'flag 1 with %s: UNIMPLEMENTED, and what is known',
    async (encoding) => {
      const session = await requestOf([grpcMessage(zipped, 1)], encoding, { path });
      expect(session.response(1).last).toMatchObject({
        'grpc-status': '12',
        'grpc-accept-encoding': 'identity,gzip',
      });
      expect(session.faults).toEqual(['unknown-encoding']);
    },
  );

  it('a second message in a frame of its own: INTERNAL, at once', async () => {
    const session = new TestSession({ answer: echo });
    session.feed(headers(1, { path }), message(1, 'one'), message(1, 'two'));
    expect(session.response(1)).toMatchObject({ last: { 'grpc-status': '13' }, reset: 'NO_ERROR' });
    await session.settled();
    expect(session.calls).toEqual([]);
  });

  it('may be empty', async () => {
    const session = await requestOf([grpcMessage(none)], undefined, { path });
    expect(session.response(1).messages).toEqual(['']);
  });

  it('may be cut anywhere', async () => {
    const octets = grpcMessage(Buffer.from('some text'));
    for (let at = 0; at <= octets.length; at++) {
      const session = await requestOf([octets.subarray(0, at), octets.subarray(at)], undefined, { path });
      expect(session.response(1).messages, `cut at ${at}`).toEqual(['some text']);
    }
    const inOctets = await requestOf(
      [...octets].map((octet) => Buffer.of(octet)),
      undefined,
      { path },
    );
    expect(inOctets.response(1).messages).toEqual(['some text']);
  });
});

describe.each(kinds)('the size of the message of a %s call', (_kind, path) => {
  const limits = { maxMessageBytes: 1_000 };
  const tooLarge = { last: { 'grpc-status': '8' } };

  it('may be the limit, compressed or not', async () => {
    const plain = await requestOf([grpcMessage(Buffer.alloc(1_000))], undefined, { limits, path });
    const zipped = await requestOf([grpcMessage(gzipSync(Buffer.alloc(1_000)), 1)], 'gzip', { limits, path });
    for (const session of [plain, zipped]) expect(session.response(1).messages[0]).toHaveLength(1_000);
  });

  it('above: RESOURCE_EXHAUSTED, before any of it has come', () => {
    const session = new TestSession({ limits });
    session.feed(headers(1, { path }), data(1, grpcMessage(Buffer.alloc(1_001)).subarray(0, 5)));
    expect(session.response(1)).toMatchObject({ ...tooLarge, reset: 'NO_ERROR' });
    expect(session.faults).toEqual(['message-size']);
  });

  it('above, in one frame', async () => {
    const session = await requestOf([grpcMessage(Buffer.alloc(1_001))], undefined, { limits, path });
    expect(session.response(1)).toMatchObject({ ...tooLarge, reset: undefined });
    expect(session.calls).toEqual([]);
  });

  it.each([1_001, 10_000_000])('above, when it is decompressed: %i octets', async (size) => {
    const zipped = gzipSync(Buffer.alloc(size));
    const session = await requestOf([grpcMessage(zipped, 1)], 'gzip', {
      limits: { maxMessageBytes: Math.max(1_000, zipped.length) },
      path,
    });
    expect(session.response(1)).toMatchObject(tooLarge);
    expect(session.faults).toEqual(['message-size']);
    expect(session.calls).toEqual([]);
  });

  it('of 4 GiB less an octet is only a number', () => {
    const session = new TestSession();
    session.feed(headers(1, { path }), data(1, Buffer.from([0, 255, 255, 255, 255])));
    expect(session.response(1)).toMatchObject(tooLarge);
  });
});

describe('a message that is decompressed', () => {
  const zipped = grpcMessage(gzipSync('late'), 1);

  function decompressing(octets = zipped): TestSession {
    const session = new TestSession({ answer: echo, limits: { maxConcurrentStreams: 1 } });
    session.feed(headers(1, { more: [['grpc-encoding', 'gzip']] }), data(1, octets, true));
    expect(session.calls).toEqual([]);
    return session;
  }

  it('keeps its place meanwhile, and frees it', async () => {
    const session = decompressing();
    expect(session.session.streams.places).toBe(1);
    await waitUntil('the message', () => session.calls.length === 1);
    session.written();
    expect(session.response(1).messages).toEqual(['late']);
    expect(session.session.streams.places).toBe(0);
  });

  it('is not handed over when its caller has gone', async () => {
    const session = decompressing();
    session.session.resetStream(1, 0, undefined);
    await waitUntil('the end of the work', () => session.session.streams.places === 0);
    session.written();
    expect(session.calls).toEqual([]);
    expect(session.response(1).hasEnded).toBe(false);
  });

  it('frees its place when it can not be', async () => {
    const session = decompressing(grpcMessage(Buffer.from('no gzip'), 1));
    await waitUntil('the end of the work', () => session.session.streams.places === 0);
    session.written();
    expect(session.response(1).last['grpc-status']).toBe('13');
  });

  it('counts no more when its handler has done with it', async () => {
    const session = new TestSession({ answer: echo, limits: { connectionWindowBytes: 70_000 } });
    const large = grpcMessage(gzipSync(Buffer.alloc(30_000)), 1);
    for (let id = 1; id < 20; id += 2) {
      session.feed(headers(id, { more: [['grpc-encoding', 'gzip']] }), data(id, large, true));
      await waitUntil('the answer', () => session.calls.length === (id + 1) / 2);
    }
    expect(session.faults).toEqual([]);
  });

  it('others are answered meanwhile', async () => {
    const session = new TestSession({ answer: echo });
    session.feed(headers(1, { more: [['grpc-encoding', 'gzip']] }), data(1, zipped, true));
    session.feed(headers(3), message(3, 'first', true));
    expect(session.calls.map((call) => call.message)).toEqual(['first']);
    await waitUntil('the message', () => session.calls.length === 2);
  });
});
