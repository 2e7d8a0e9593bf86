import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { flags, frame, grpcMessage, ping, reset, settings, windowUpdate } from '../support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  paths,
  reply,
  TestSession,
  wholeCall,
} from '../support/http2-session.ts';

const initialWindow = 4;
const least = 65_535;

/** Answers each message with itself. */
async function* echoing(messages: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const each of messages) yield Buffer.from(each);
}

describe('faults that fuzzing has found, in a few frames', () => {
  it('a connection window of 65535 is not opened by nothing', () => {
    const session = new TestSession({ limits: { connectionWindowBytes: least } });
    expect(session.frames.map(({ type }) => type)).toEqual(['SETTINGS', 'SETTINGS']);
  });

  it('GOAWAY of an error is the last frame, also when it drops much of a request', () => {
    const session = new TestSession({ limits: { connectionWindowBytes: least } });
    session.feed(headers(1), data(1, Buffer.concat([Buffer.of(0, 0, 1, 0, 0), Buffer.alloc(16_379)])));
    session.feed(headers(3), data(3, Buffer.concat([Buffer.of(0, 0, 1, 0, 0), Buffer.alloc(16_379)])));
    expect(session.feed(windowUpdate(0, 0))).toEqual([expect.stringMatching(/^GOAWAY 3 PROTOCOL_ERROR/)]);
  });

  it('a client that leaves an octet of each answer does not hold all of them', () => {
    const answer = 'x'.repeat(50_000);
    const session = new TestSession({
      settings: [[initialWindow, answer.length]],
      answer: (call) => reply(call, answer),
    });
    session.feed(wholeCall(1));
    // The message has a prefix of five octets.
    const { held } = session.session.streams.get(1) ?? {};
    expect(held?.octets).toHaveLength(5);
    expect(held?.octets.buffer.byteLength).not.toBe(answer.length + 5);
  });

  it('a client that has used up the window of its connection is told of the little that was released', () => {
    const size = 100_000;
    const session = new TestSession({ limits: { connectionWindowBytes: size }, answer: echo });
    session.feed(wholeCall(1, 'x'.repeat(1_000)));
    const part = Buffer.concat([Buffer.of(0, 0, 2, 0, 0), Buffer.alloc(16_379)]);
    const frames = [headers(3), data(3, part), ...Array.from({ length: 4 }, () => data(3, part))];
    expect(session.feed(...frames)).toEqual([`WINDOW_UPDATE 0 +1005`]);
  });

  it('a stream gets on when the beginning of a message had waited behind another', async () => {
    let go = () => {};
    const chat = async function* (messages: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const each of messages) {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        yield Buffer.from(each.subarray(0, 1));
      }
    };
    const session = new TestSession({ limits: { streamWindowBytes: least }, chat });
    const large = grpcMessage(Buffer.alloc(least));
    const all = Buffer.concat([grpcMessage(Buffer.from('x')), grpcMessage(Buffer.from('y')), large]);
    session.feed(headers(1, { path: paths.chat }), data(1, all.subarray(0, 100)));
    await session.settled();
    go();
    await session.settled();
    // As long as the handler is busy with the second, nothing is read of the third.
    for (let at = 100; at < least; at += 16_384) {
      expect(session.feed(data(1, all.subarray(at, Math.min(at + 16_384, least))))).toEqual([]);
    }
    go();
    expect(await session.settled()).toContain(`WINDOW_UPDATE 1 +${least}`);
  });

  it('the last message of a stream is not lost when it is being decompressed as the request ends', async () => {
    const session = new TestSession({ chat: echoing });
    const compressed = grpcMessage(gzipSync('the last one'), 1);
    const more = [['grpc-encoding', 'gzip']] as const;
    session.feed(headers(1, { path: paths.chat, more }), data(1, compressed));
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    session.feed(data(1, Buffer.alloc(0), true));
    while (!session.response(1).hasEnded) await session.settled();
    expect(session.response(1).messages).toEqual(['the last one']);
    expect(session.response(1).last['grpc-status']).toBe('0');
  });

  it('a call that waits for its turn as it is cancelled does not hold up those that follow', async () => {
    const session = new TestSession({ chat: echoing });
    session.session.isCongested = true;
    session.feed(headers(1, { path: paths.chat }), message(1, 'x'));
    await session.settled();
    session.feed(reset(1));
    await session.settled();
    expect(session.session.streams.places).toBe(0);
    // There is no stream that could be told of it.
    session.session.isCongested = false;
    session.feed(headers(3, { path: paths.chat }), message(3, 'y', true));
    await session.settled();
    expect(session.response(3).messages).toEqual(['y']);
  });

  it('trailers of a call that was refused do not end the connection, however few calls may be open', () => {
    const session = new TestSession({ limits: { maxConcurrentStreams: 1 } });
    session.feed(headers(1));
    const ids = Array.from({ length: 20 }, (_, i) => 3 + 2 * i);
    session.feed(...ids.map((id) => headers(id)));
    const trailers = (id: number) => frame('HEADERS', flags.END_HEADERS | flags.END_STREAM, id);
    expect(session.feed(...ids.map(trailers), ping('still on'))).toEqual(['PING ack still on']);
  });

  it('SETTINGS may move a window below zero and up again', () => {
    const session = new TestSession({ settings: [[initialWindow, 100]], answer: echo });
    session.feed(wholeCall(1, 'x'.repeat(200)));
    expect(session.feed(settings([initialWindow, 0]), windowUpdate(1, 100))).toEqual(['SETTINGS ack']);
    expect(session.feed(settings([initialWindow, 50]))).toEqual(['SETTINGS ack', 'DATA 1 50 octets']);
  });
});
