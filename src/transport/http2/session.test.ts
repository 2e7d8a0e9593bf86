import { describe, expect, it } from 'vitest';
import {
  flags,
  frame,
  goaway,
  ping,
  preface,
  reset,
  settings,
  settingsAck,
  uint32,
  windowUpdate,
} from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  message,
  paths,
  TestSession,
  wholeCall,
} from '../../../test/support/http2-session.ts';

const octets = (length: number) => Buffer.alloc(length, 1);
const priorityOf = (dependency: number) => Buffer.concat([uint32(dependency), Buffer.of(15)]);

/** A session on which stream 3 is open, 1 has ended, and 5 and above are idle. */
function busySession(): TestSession {
  const session = new TestSession({ answer: echo });
  session.feed(wholeCall(1), headers(3));
  return session;
}

describe('the first frame is SETTINGS', () => {
  it.each([
    ['PING', ping()],
    ['HEADERS', headers(1)],
    ['the ack of SETTINGS', settingsAck],
    ['WINDOW_UPDATE', windowUpdate(0, 1)],
    ['PRIORITY', frame('PRIORITY', 0, 3, priorityOf(0))],
    ['GOAWAY', goaway()],
    ['a frame of an unknown type', frame(99, 0, 0)],
  ])('%s is not', (_, first) => {
    const session = new TestSession({ greet: false });
    session.feed(preface);
    expect(session.feed(first, settings())).toEqual(['GOAWAY 0 PROTOCOL_ERROR protocol']);
    expect(session.faults).toEqual(['protocol']);
  });
});

describe('connection errors', () => {
  it.each([
    ['SETTINGS on a stream', frame('SETTINGS', 0, 3), 'PROTOCOL_ERROR protocol'],
    ['SETTINGS with half an entry', frame('SETTINGS', 0, 0, octets(5)), 'FRAME_SIZE_ERROR frame-size'],
    ['an ack of SETTINGS with a payload', frame('SETTINGS', 1, 0, octets(6)), 'FRAME_SIZE_ERROR frame-size'],
    ['PING on a stream', frame('PING', 0, 3, octets(8)), 'PROTOCOL_ERROR protocol'],
    ['PING of 7 octets', frame('PING', 0, 0, octets(7)), 'FRAME_SIZE_ERROR frame-size'],
    ['PING of 9 octets', frame('PING', 0, 0, octets(9)), 'FRAME_SIZE_ERROR frame-size'],
    ['an ack of PING of 7 octets', frame('PING', 1, 0, octets(7)), 'FRAME_SIZE_ERROR frame-size'],
    ['PUSH_PROMISE', frame('PUSH_PROMISE', 4, 3, octets(9)), 'PROTOCOL_ERROR protocol'],
    ['GOAWAY on a stream', frame('GOAWAY', 0, 3, octets(8)), 'PROTOCOL_ERROR protocol'],
    ['GOAWAY of 7 octets', frame('GOAWAY', 0, 0, octets(7)), 'FRAME_SIZE_ERROR frame-size'],
    ['WINDOW_UPDATE of 3 octets', frame('WINDOW_UPDATE', 0, 3, octets(3)), 'FRAME_SIZE_ERROR frame-size'],
    ['WINDOW_UPDATE of 5 octets', frame('WINDOW_UPDATE', 0, 0, octets(5)), 'FRAME_SIZE_ERROR frame-size'],
    ['WINDOW_UPDATE on an idle stream', windowUpdate(5, 1), 'PROTOCOL_ERROR protocol'],
    ['WINDOW_UPDATE of 0 on the connection', windowUpdate(0, 0), 'PROTOCOL_ERROR protocol'],
    ['RST_STREAM of 3 octets', frame('RST_STREAM', 0, 3, octets(3)), 'FRAME_SIZE_ERROR frame-size'],
    ['RST_STREAM of 5 octets', frame('RST_STREAM', 0, 3, octets(5)), 'FRAME_SIZE_ERROR frame-size'],
    ['WINDOW_UPDATE on an even stream', windowUpdate(2, 1), 'PROTOCOL_ERROR protocol'],
    ['RST_STREAM on an even stream', reset(2), 'PROTOCOL_ERROR protocol'],
    ['DATA on an even stream', data(2, octets(1)), 'PROTOCOL_ERROR protocol'],
    ['RST_STREAM on the connection', reset(0), 'PROTOCOL_ERROR protocol'],
    ['RST_STREAM on an idle stream', reset(5), 'PROTOCOL_ERROR protocol'],
    ['DATA on the connection', data(0, octets(1)), 'PROTOCOL_ERROR protocol'],
    ['DATA on an idle stream', data(5, octets(1)), 'PROTOCOL_ERROR protocol'],
    ['HEADERS on the connection', headers(0), 'PROTOCOL_ERROR protocol'],
    ['HEADERS on an even stream', headers(6), 'PROTOCOL_ERROR protocol'],
    ['HEADERS on a stream that has ended', headers(1), 'STREAM_CLOSED protocol'],
    ['CONTINUATION without HEADERS', frame('CONTINUATION', 4, 3), 'PROTOCOL_ERROR protocol'],
    ['PRIORITY on the connection', frame('PRIORITY', 0, 0, priorityOf(3)), 'PROTOCOL_ERROR protocol'],
    ['a header block that is none', frame('HEADERS', 4, 5, Buffer.of(0x80)), 'COMPRESSION_ERROR compression'],
    ['trailers that are none', frame('HEADERS', 5, 3, Buffer.of(0x80)), 'COMPRESSION_ERROR compression'],
  ])('%s', (_, bad, error) => {
    const session = busySession();
    expect(session.feed(bad, ping(), wholeCall(7))).toEqual([`GOAWAY 3 ${error}`]);
    expect(session.faults).toEqual([error.split(' ')[1]]);
    expect(session.session.state).toBe('ended');
    expect(session.session.streams.size).toBe(0);
    expect(session.calls).toHaveLength(1);
  });

  it('after one nothing is read any more, also not the rest of a frame that had begun', () => {
    const session = busySession();
    const [begun, rest] = [ping().subarray(0, 12), ping().subarray(12)];
    session.feed(begun);
    session.session.fail({ code: 11, fault: 'slow-frame', debug: 'slow' });
    expect(session.written()).toEqual(['GOAWAY 3 ENHANCE_YOUR_CALM slow']);
    expect(session.feed(rest, ping(), wholeCall(5))).toEqual([]);
    session.session.fail({ code: 11, fault: 'stalled', debug: 'again' });
    expect(session.written()).toEqual([]);
    expect(session.faults).toEqual(['slow-frame']);
  });
});

describe('frames that change nothing', () => {
  it.each([
    ['of an unknown type, on the connection', frame(10, 0xff, 0, octets(10))],
    ['of an unknown type, on an open stream', frame(255, 0, 3, octets(1))],
    ['of an unknown type, on an idle stream', frame(16, 0, 9)],
    ['an ack of a PING that was not sent', ping('2345678!', flags.ACK)],
    ['an ack of the PING of a shutdown that has not begun', ping('weirdrai', flags.ACK)],
    ['a second ack of SETTINGS', settingsAck],
    [
      'PRIORITY for idle streams',
      Buffer.concat([5, 7, 9].map((id) => frame('PRIORITY', 0, id, priorityOf(3)))),
    ],
    ['PRIORITY for an open stream', frame('PRIORITY', 0, 3, priorityOf(0))],
    ['PRIORITY for a stream that has ended', frame('PRIORITY', 0, 1, priorityOf(0))],
    ['WINDOW_UPDATE on a stream that has ended', windowUpdate(1, 5)],
    ['WINDOW_UPDATE of 0 on a stream that has ended', windowUpdate(1, 0)],
    ['RST_STREAM on a stream that has ended', reset(1)],
  ])('%s', (_, idle) => {
    const session = busySession();
    expect(session.feed(idle)).toEqual([]);
    expect(session.feed(message(3, 'on it goes', true)).at(-1)).toMatch(/^HEADERS 3 grpc-status=0, end$/);
    expect(session.response(3).messages).toEqual(['on it goes']);
    expect(session.faults).toEqual([]);
  });

  it('the reserved bit of a stream identifier', () => {
    const session = busySession();
    const reserved = message(3, 'x', true);
    reserved[5] = 0x80;
    session.feed(reserved);
    expect(session.response(3).messages).toEqual(['x']);
  });
});

it('PING is answered with its own octets', () => {
  const session = new TestSession();
  expect(session.feed(ping('\0\x01abcd\xfe\xff'), ping('87654321'))).toEqual([
    'PING ack \0\x01abcd\xfe\xff',
    'PING ack 87654321',
  ]);
});

describe('PRIORITY', () => {
  it.each([
    ['of 4 octets', frame('PRIORITY', 0, 3, octets(4)), 'FRAME_SIZE_ERROR'],
    ['of 6 octets', frame('PRIORITY', 0, 3, octets(6)), 'FRAME_SIZE_ERROR'],
    ['that names its own stream', frame('PRIORITY', 0, 3, priorityOf(3)), 'PROTOCOL_ERROR'],
    [
      'that names its own stream, exclusively',
      frame('PRIORITY', 0, 3, priorityOf(0x8000_0003)),
      'PROTOCOL_ERROR',
    ],
  ])('%s is a stream error', (_, bad, error) => {
    const session = busySession();
    expect(session.feed(bad)).toEqual([`RST_STREAM 3 ${error}`]);
    expect(session.faults).toEqual(['stream-protocol']);
    expect(session.feed(wholeCall(5)).at(-1)).toMatch(/grpc-status=0/);
  });

  it.each([
    ['of 4 octets', frame('PRIORITY', 0, 5, octets(4)), 'FRAME_SIZE_ERROR frame-size'],
    ['that names its own stream', frame('PRIORITY', 0, 5, priorityOf(5)), 'PROTOCOL_ERROR protocol'],
  ])('%s is a connection error where there is no stream to reset', (_, bad, error) => {
    expect(busySession().feed(bad)).toEqual([`GOAWAY 3 ${error}`]);
  });

  it('in HEADERS is ignored, but not for its own stream', () => {
    const session = busySession();
    const withPriority = (id: number, dependency: number) =>
      frame(
        'HEADERS',
        flags.END_HEADERS | flags.PRIORITY,
        id,
        Buffer.concat([priorityOf(dependency), headers(id).subarray(9)]),
      );
    session.feed(withPriority(5, 3), message(5, 'x', true));
    expect(session.response(5).messages).toEqual(['x']);
    expect(session.feed(withPriority(7, 7))).toEqual(['RST_STREAM 7 PROTOCOL_ERROR']);
    expect(session.faults).toEqual(['malformed']);
  });

  it('in HEADERS that are too short for it is a connection error', () => {
    const short = frame('HEADERS', flags.END_HEADERS | flags.PRIORITY, 5, octets(4));
    expect(busySession().feed(short)).toEqual(['GOAWAY 3 FRAME_SIZE_ERROR frame-size']);
  });
});

describe('GOAWAY of a client', () => {
  it.each([
    ['as most say it', goaway(0)],
    ['with an error and a text', goaway(3, 2, 'bye')],
    ['twice, as grpc-js does', Buffer.concat([goaway(0), goaway(0)])],
  ])('%s: its streams are finished', (_, octets) => {
    const session = busySession();
    expect(session.feed(octets)).toEqual([]);
    session.feed(message(3, 'last', true));
    expect(session.response(3).messages).toEqual(['last']);
    expect(session.faults).toEqual([]);
  });
});

it('padding counts as nothing but octets', async () => {
  const session = busySession();
  const pad = (payload: Buffer, length: number) =>
    Buffer.concat([Buffer.of(length), payload, Buffer.alloc(length)]);
  const fields = pad(headers(5).subarray(9), 255);
  const part = (text: string) => message(5, text).subarray(9);
  session.feed(
    frame('HEADERS', flags.END_HEADERS | flags.PADDED, 5, fields),
    frame('DATA', flags.PADDED, 5, pad(part('padded').subarray(0, 3), 0)),
    frame('DATA', flags.PADDED | flags.END_STREAM, 5, pad(part('padded').subarray(3), 255)),
  );
  await session.settled();
  expect(session.response(5).messages).toEqual(['padded']);
});

it.each([
  ['DATA', 3],
  ['HEADERS', 5],
] as const)('%s: as much padding as payload, or no length of it, is a connection error', (type, id) => {
  for (const payload of [Buffer.of(1), Buffer.of(3, 1, 1), Buffer.alloc(0)]) {
    const session = busySession();
    const bad = frame(type, flags.PADDED | flags.END_HEADERS, id, payload);
    expect(session.feed(bad)).toEqual(['GOAWAY 3 PROTOCOL_ERROR protocol']);
  }
});

it('all padding and no content is a frame like others', async () => {
  const session = busySession();
  expect(session.feed(frame('DATA', flags.PADDED, 3, Buffer.of(2, 0, 0)))).toEqual([]);
  session.feed(message(3, 'x', true));
  await session.settled();
  expect(session.response(3).messages).toEqual(['x']);
});

it('identifiers of streams may be skipped, up to the last', () => {
  const session = new TestSession({ answer: echo });
  session.feed(wholeCall(5, 'five'), wholeCall(101, 'hundred'));
  session.feed(headers(2 ** 31 - 1, { path: paths.unary }), message(2 ** 31 - 1, 'last', true));
  expect([5, 101, 2 ** 31 - 1].map((id) => session.response(id).messages)).toEqual([
    ['five'],
    ['hundred'],
    ['last'],
  ]);
});
