import { describe, expect, it } from 'vitest';
import { flags, frame, grpcMessage, preface, reset, settings } from '../../../test/support/http2-frames.ts';
import {
  data,
  echo,
  headers,
  paths,
  TestSession,
  type TestSessionOptions,
  wholeCall,
} from '../../../test/support/http2-session.ts';

/** Windows that a test can fill. */
const limits = { streamWindowBytes: 70_000, connectionWindowBytes: 100_000, maxMessageBytes: 1_000_000 };

/** The beginning of a message that is never completed. */
function partial(octets: number): Buffer {
  return grpcMessage(Buffer.alloc(900_000)).subarray(0, octets);
}

function dataFrames(id: number, octets: Buffer, endStream = false): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < octets.length; at += 16_384) {
    const isLast = at + 16_384 >= octets.length;
    frames.push(data(id, octets.subarray(at, at + 16_384), endStream && isLast));
  }
  return Buffer.concat(frames);
}

function withCalls(options: TestSessionOptions, ...ids: readonly number[]): TestSession {
  const session = new TestSession({ limits, ...options });
  session.feed(...ids.map((id) => headers(id)));
  return session;
}

describe('the window of a connection', () => {
  it.each([
    [8_388_608, ['WINDOW_UPDATE 0 +8323073']],
    [65_536, ['WINDOW_UPDATE 0 +1']],
    [65_535, []],
  ])('of %i is opened with the first octets', (connectionWindowBytes, updates) => {
    const session = new TestSession({ greet: false, limits: { connectionWindowBytes } });
    expect(session.feed(preface).slice(1)).toEqual(updates);
  });

  it('is not given back for a message that is not complete', () => {
    const session = withCalls({}, 1);
    expect(session.feed(dataFrames(1, partial(34_000)))).toEqual([]);
    expect(session.feed(dataFrames(1, partial(70_000).subarray(34_000)))).toEqual(['WINDOW_UPDATE 1 +50384']);
  });

  it('is given back when the message is handed over', async () => {
    const session = withCalls({}, 1);
    const message = grpcMessage(Buffer.alloc(59_995));
    session.feed(dataFrames(1, message, true));
    await session.settled();
    expect(session.calls).toHaveLength(1);
    expect(
      session.frames.filter(({ type, stream }) => type === 'WINDOW_UPDATE' && stream === 0),
    ).toHaveLength(2);
    expect(session.frames.at(-1)?.payload.readUInt32BE()).toBe(60_000);
  });

  it.each<[string, (session: TestSession) => string[]]>([
    ['is cancelled', (session) => session.feed(reset(1))],
    ['is refused', (session) => session.tick(10_001)],
    ['breaks the rules', (session) => session.feed(headers(1))],
  ])('is given back when the call %s', (_, drop) => {
    const session = withCalls({}, 1);
    session.feed(dataFrames(1, partial(60_000)));
    expect(drop(session)).toContain('WINDOW_UPDATE 0 +60000');
  });

  it('is given back for DATA of a stream that is closed', () => {
    const session = withCalls({ answer: echo });
    session.feed(wholeCall(1), data(1, Buffer.of(0)));
    const words = Array.from({ length: 10 }, () => session.feed(data(1, Buffer.alloc(10_000)))).flat();
    const returned = words.map((line) => Number(/^WINDOW_UPDATE 0 \+(\d+)$/.exec(line)?.[1]));
    expect(returned.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(75_000);
  });

  it('is given back for a request that is no gRPC', () => {
    const session = new TestSession({ limits });
    session.feed(
      headers(1, {
        fields: [
          [':method', 'PUT'],
          [':scheme', 'http'],
          [':path', '/'],
        ],
      }),
    );
    expect(session.feed(dataFrames(1, Buffer.alloc(32_768)))).toEqual(['WINDOW_UPDATE 0 +32768']);
  });

  it('padding is given back at once', () => {
    const session = withCalls({}, 1);
    session.feed(data(1, partial(5)));
    const padded = frame('DATA', flags.PADDED, 1, Buffer.concat([Buffer.of(255, 0), Buffer.alloc(255)]));
    const words = Array.from({ length: 100 }, () => session.feed(padded)).flat();
    expect(words).toEqual(['WINDOW_UPDATE 0 +25088']);
    // And once: the end of the call gives back nothing that was given back.
    for (let index = 0; index < 100; index++) words.push(...session.feed(padded));
    session.feed(reset(1));
    const returned = session.frames.filter(({ type, stream }) => type === 'WINDOW_UPDATE' && stream === 0);
    const sum = returned.reduce((all, { payload }) => all + payload.readUInt32BE(), 65_535 - 100_000);
    expect(sum).toBe(2 * 25_088);
  });

  it('filled to its last octet is no error, and one more is', () => {
    const session = withCalls({}, 1, 3);
    session.feed(dataFrames(1, partial(50_000)), dataFrames(3, partial(49_999)));
    expect(session.session.state).toBe('open');
    expect(session.feed(data(3, Buffer.alloc(2)))).toEqual(['GOAWAY 3 FLOW_CONTROL_ERROR flow-control']);
    expect(session.faults).toEqual(['flow-control']);
  });

  it('padding counts against it', () => {
    const session = withCalls({}, 1, 3);
    session.feed(dataFrames(1, partial(50_000)), dataFrames(3, partial(49_999)));
    const padded = frame('DATA', flags.PADDED, 3, Buffer.of(1, 0));
    expect(session.feed(padded)).toEqual(['GOAWAY 3 FLOW_CONTROL_ERROR flow-control']);
  });
});

describe('a connection window that is used up by messages that are not complete', () => {
  it('ends the largest of them with RESOURCE_EXHAUSTED, and the others go on', async () => {
    const session = withCalls({ answer: echo }, 1, 3, 5);
    session.feed(dataFrames(1, partial(20_000)), dataFrames(3, partial(50_000)));
    const rest = grpcMessage(Buffer.alloc(39_995));
    const words = session.feed(dataFrames(5, rest.subarray(0, 30_000)));
    expect(words).toEqual([
      expect.stringMatching(/^HEADERS 3 .*grpc-status=8 .*, end$/),
      'RST_STREAM 3 NO_ERROR',
      'WINDOW_UPDATE 0 +50000',
    ]);
    expect(session.faults).toEqual(['window-exhausted']);
    session.feed(dataFrames(5, rest.subarray(30_000), true));
    await session.settled();
    expect(session.response(5).messages[0]).toHaveLength(39_995);
    expect(session.session.streams.size).toBe(1);
  });

  it('lets a message go on that completes with the last octet', async () => {
    const session = withCalls({ answer: echo }, 1, 3);
    session.feed(dataFrames(1, partial(40_000)));
    session.feed(dataFrames(3, grpcMessage(Buffer.alloc(59_995)), true));
    await session.settled();
    expect(session.response(3).messages[0]).toHaveLength(59_995);
    expect(session.faults).toEqual([]);
  });

  it.each([paths.watch, paths.chat])('also of a call that is a stream: %s', (path) => {
    const session = new TestSession({ limits });
    session.feed(headers(1), headers(3, { path }));
    session.feed(dataFrames(1, partial(40_000)), dataFrames(3, partial(60_000)));
    expect(session.response(3)).toMatchObject({ last: { 'grpc-status': '8' }, reset: 'NO_ERROR' });
  });
});

describe('the window of a stream', () => {
  it('needs no update for a call that fits', () => {
    const session = withCalls({ answer: echo });
    for (let id = 1; id < 40; id += 2) session.feed(wholeCall(id, 'x'.repeat(500)));
    expect(session.frames.filter(({ type, stream }) => type === 'WINDOW_UPDATE' && stream > 0)).toEqual([]);
  });

  it('is given back as octets arrive, when it is worth a frame', () => {
    const session = withCalls({}, 1);
    expect(session.feed(dataFrames(1, partial(16_384)))).toEqual([]);
    expect(session.feed(dataFrames(1, partial(16_384)))).toEqual([]);
    expect(session.feed(dataFrames(1, partial(16_384)))).toEqual(['WINDOW_UPDATE 1 +49152']);
  });

  it('padding counts against it, and is given back with the rest', () => {
    const session = withCalls({ limits: { ...limits, streamWindowBytes: 1_000 } }, 1);
    const padded = frame('DATA', flags.PADDED, 1, Buffer.concat([Buffer.of(255, 0), Buffer.alloc(255)]));
    expect(session.feed(padded)).toEqual([]);
    expect(session.feed(padded)).toEqual(['WINDOW_UPDATE 1 +514']);
  });

  it('is not given back when the request has ended', () => {
    const session = withCalls({}, 1);
    const updates = session.feed(dataFrames(1, grpcMessage(Buffer.alloc(60_000)), true));
    expect(updates.filter((line) => line.startsWith('WINDOW_UPDATE 1'))).toEqual(['WINDOW_UPDATE 1 +49152']);
    expect(session.feed()).toEqual([]);
  });

  it('filled to its last octet is no error, and one more is an error of the stream', () => {
    const session = withCalls({ limits: { ...limits, streamWindowBytes: 1_000 } }, 1, 3);
    expect(session.feed(data(1, partial(1_000)))).toEqual(['WINDOW_UPDATE 1 +1000']);
    expect(session.feed(data(3, partial(1_001)))).toEqual(['RST_STREAM 3 FLOW_CONTROL_ERROR']);
    expect(session.faults).toEqual(['stream-flow-control']);
  });

  it('is as large again when it was given back', () => {
    const session = withCalls({ limits: { ...limits, streamWindowBytes: 1_000 } }, 1);
    const message = partial(2_001);
    session.feed(data(1, message.subarray(0, 1_000)));
    expect(session.feed(data(1, message.subarray(1_000, 2_000)))).toEqual(['WINDOW_UPDATE 1 +1000']);
    expect(session.faults).toEqual([]);
  });

  it('what was too much is no octet of the window of the connection', () => {
    const session = withCalls({ limits: { ...limits, streamWindowBytes: 10_000 } });
    for (let id = 1; id < 40; id += 2) session.feed(headers(id), data(id, partial(10_001)));
    expect(session.session.state).toBe('open');
  });
});

/** A client that keeps to the windows, and sends in turn what it may of each call. */
function obedientClient(session: TestSession, sizes: readonly number[], piece: number): void {
  let window = 65_535;
  const calls = sizes.map((size, index) => ({
    id: 2 * index + 1,
    rest: grpcMessage(Buffer.alloc(size)),
    window: 0,
  }));
  const take = (words: readonly string[]) => {
    for (const line of words) {
      const [, initial] = /^SETTINGS .*4=(\d+)/.exec(line) ?? [];
      for (const call of calls) if (initial !== undefined) call.window = Number(initial);
      const [, id, octets] = /^WINDOW_UPDATE (\d+) \+(\d+)$/.exec(line) ?? [];
      if (id === '0') window += Number(octets);
      for (const call of calls) if (String(call.id) === id) call.window += Number(octets);
    }
  };
  take(session.feed(preface, settings(), ...calls.map(({ id }) => headers(id))));
  for (let isGoing = true; isGoing; ) {
    isGoing = false;
    for (const call of calls) {
      if (session.response(call.id).hasEnded) continue;
      const length = Math.min(piece, call.rest.length, window, call.window);
      if (length <= 0) continue;
      isGoing = true;
      window -= length;
      call.window -= length;
      const octets = call.rest.subarray(0, length);
      call.rest = call.rest.subarray(length);
      take(session.feed(data(call.id, octets, call.rest.length === 0)));
    }
  }
}

describe('a client that keeps to the windows is never stuck', () => {
  it.each([
    ['one message of the largest size, small windows', [4_194_304], 65_535, 65_535, 16_384],
    ['one after another, octets left over', [300_000], 65_535, 100_001, 777],
    ['many at once that fit together', Array(20).fill(4_000), 65_535, 100_000, 1_000],
  ])('%s', async (_, sizes, streamWindowBytes, connectionWindowBytes, piece) => {
    const session = new TestSession({ greet: false, limits: { streamWindowBytes, connectionWindowBytes } });
    obedientClient(session, sizes, piece);
    await session.settled(300);
    const large = sizes.filter((size) => size > connectionWindowBytes).length;
    expect(session.calls).toHaveLength(sizes.length - large);
    expect(session.faults).toEqual(Array(large).fill('window-exhausted'));
    expect(session.session.streams.size).toBe(session.calls.length);
  });

  it('two hundred large messages at once are held to the window of the connection', async () => {
    const connectionWindowBytes = 1_048_576;
    const session = new TestSession({ greet: false, limits: { connectionWindowBytes } });
    obedientClient(session, Array(200).fill(100_000), 10_000);
    // Messages of this size take a turn of the loop each.
    for (let turn = 0; turn < 20; turn++) await session.settled(300);
    const ended = session.faults.filter((fault) => fault === 'window-exhausted').length;
    expect(session.calls.length + ended).toBe(200);
    expect(session.calls.length).toBeGreaterThan(0);
    expect(new Set(session.faults)).toEqual(new Set(['window-exhausted']));
  });
});
