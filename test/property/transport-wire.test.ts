import { describe, expect, it } from 'vitest';
import { HpackDecoder } from '../../src/transport/hpack/hpack-decoder.ts';
import { FrameReader } from '../../src/transport/http2/frame-reader.ts';
import { type FrameName, flags, preface, readFrames, types } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  contentOf,
  cutsOf,
  fieldOf,
  inOctets,
  inSegments,
  listOctets,
  plainMessages,
  type Recording,
  recordings,
  timeoutOf,
  type WireStream,
} from './wire-recordings.ts';
import {
  CallSession,
  checkPath,
  headInWords,
  isSameTrace,
  RecordingSession,
  rateLimitPath,
  reflectionPath,
  replayLimits,
  type SeenCall,
  watchPath,
} from './wire-replay.ts';

const http2 = recordings.filter(({ protocol }) => protocol === 'h2');
const http1 = recordings.filter(({ protocol }) => protocol === 'http/1');

/** The ways in which the octets of a recording are fed. */
const ways: [string, (recording: Recording) => Buffer[]][] = [
  ['whole', ({ octets }) => [octets]],
  ['octet by octet', ({ octets }) => inOctets(octets)],
  ['in the recorded segments', inSegments],
];

it('there are recordings of all kinds', () => {
  expect([http2.length, http1.length]).toEqual([41, 3]);
  for (const { octets, bytes } of recordings) expect(octets).toHaveLength(bytes);
  const large = http2.filter(({ streams }) => streams.some(isTooLarge));
  expect(large.map(({ name }) => name)).toEqual(['grpc-go-big-header', 'nghttp-options']);
});

describe.each(http2)('$name', (recording) => {
  it('its header lists and trailers are decoded', () => {
    const lists = new Map<number, [string, string][][]>();
    const hpack = new HpackDecoder();
    for (const { stream, block } of headerBlocks(recording)) {
      const list: [string, string][] = [];
      const sink = { field: (name: string, value: string) => list.push([name, value]) };
      expect(hpack.decode(block, 0, block.length, sink)).toBe(true);
      lists.set(stream, [...(lists.get(stream) ?? []), list]);
    }
    const latin1 = (text: string) => Buffer.from(text).toString('latin1');
    const truth = recording.streams.map(({ id, headers, trailers }): [number, [string, string][][]] => {
      const both = trailers === undefined ? [headers] : [headers, trailers];
      return [id, both.map((list) => list.map(([name, value]) => [latin1(name), latin1(value)]))];
    });
    expect([...lists]).toEqual(truth);
  });

  it.each([
    ['whole', (octets: Buffer) => [octets]],
    ['octet by octet', inOctets],
  ])('its frames are cut out, fed %s', (_, chunksOf) => {
    const begin = recording.preface_at + preface.length;
    const frames: unknown[] = [];
    const listener = {
      isReading: true,
      frame: (type: number, flagBits: number, stream: number, _octets: Buffer, start: number, end: number) =>
        frames.push([type, flagBits, stream, end - start]),
      frameTooLarge: () => expect.fail('a frame is too large'),
    };
    const reader = new FrameReader(listener, 16_384);
    for (const chunk of chunksOf(recording.octets.subarray(begin))) {
      for (let at = 0; at < chunk.length; ) at = reader.feed(chunk, at);
    }
    expect(frames).toEqual(
      recording.frames.map(({ type, flags: flagBits, stream, length }) => [
        types[type as FrameName],
        flagBits,
        stream,
        length,
      ]),
    );
    expect(reader.isMidFrame).toBe(false);
  });

  it.each(ways)('its streams, SETTINGS and PING frames are understood, fed %s', (_, chunksOf) => {
    const session = new RecordingSession(replayLimits).replay(chunksOf(recording));
    expect(session.streams.map(({ stream, head }) => [stream.id, head])).toEqual(
      recording.streams.map((stream) => [stream.id, headOf(stream)]),
    );
    for (const [index, stream] of recording.streams.entries()) {
      const seen = session.streams[index];
      expect(seen?.content.equals(contentOf(stream)), `DATA of stream ${stream.id}`).toBe(true);
      expect(seen).toMatchObject({ hasEnded: stream.end !== undefined, isClosed: stream.rst !== undefined });
      if (stream.rst === undefined) expect(seen?.stream.sendWindow).toBe(sendWindow(recording, stream));
    }
    // Acks that nobody asked for are among what came.
    const answers = session.written().filter((line) => !/^WINDOW_UPDATE|^SETTINGS \d/.test(line));
    expect(answers).toEqual(expectedAnswers(recording));
    expect(session.faults).toEqual([]);
    expect(session.session.state).toBe('open');
  });

  it('is understood alike, wherever it is split in two', () => {
    const { octets } = recording;
    const whole = new RecordingSession(replayLimits).replay([octets]).trace();
    for (const at of cutsOf(octets)) {
      const session = new RecordingSession(replayLimits);
      const trace = session.replay([octets.subarray(0, at), octets.subarray(at)]).trace();
      if (!isSameTrace(trace, whole)) expect.fail(`another outcome when it is split at ${at}`);
    }
  }, 60_000);

  it.each(ways)('its calls reach their handlers, fed %s', async (_, chunksOf) => {
    const session = new CallSession(replayLimits);
    await session.replay(chunksOf(recording));
    await expectCalls(session, recording);
  });

  it('its calls reach their handlers, split in two at some places', async () => {
    // Handlers see whole frames, however they came: it is the frames that are split everywhere above.
    const cuts = cutsOf(recording.octets);
    for (let index = 0; index < cuts.length; index += Math.ceil(cuts.length / 20)) {
      const at = cuts[index] as number;
      const session = new CallSession(replayLimits);
      await session.replay([recording.octets.subarray(0, at), recording.octets.subarray(at)]);
      await expectCalls(session, recording);
    }
  });
});

describe.each(http2.filter(({ streams }) => streams.some(isTooLarge)))(
  '$name, with default limits',
  (recording) => {
    it.each(ways)('its streams that are too large are reset, and the others go on, fed %s', (_, chunksOf) => {
      const session = new RecordingSession({ minPingIntervalMs: 0 }).replay(chunksOf(recording));
      const good = recording.streams.filter((stream) => !isTooLarge(stream));
      expect(session.streams.map(({ stream, head }) => [stream.id, head])).toEqual(
        good.map((stream) => [stream.id, headOf(stream)]),
      );
      for (const [index, stream] of good.entries()) {
        expect(session.streams[index]?.content.equals(contentOf(stream))).toBe(true);
      }
      const resets = session.written().filter((line) => /^(RST_STREAM|GOAWAY)/.test(line));
      const tooLarge = recording.streams.filter(isTooLarge);
      expect(resets).toEqual(tooLarge.map(({ id }) => `RST_STREAM ${id} ENHANCE_YOUR_CALM`));
      expect(session.faults).toEqual(tooLarge.map(() => 'header-list-size'));
      expect(session.session.state).toBe('open');
    });
  },
);

describe.each(http1)('$name', (recording) => {
  const { octets } = recording;

  it.each(ways)('is answered in HTTP/1, fed %s', (_, chunksOf) => {
    expectHttp1(chunksOf(recording));
  });

  it('is answered in HTTP/1, wherever it is split in two', () => {
    for (const at of cutsOf(octets)) expectHttp1([octets.subarray(0, at), octets.subarray(at)]);
  });
});

function expectHttp1(chunks: readonly Buffer[]): void {
  const session = new RecordingSession({}).replay(chunks);
  expect(session.writtenOctets().toString('latin1')).toMatch(
    /^HTTP\/1\.1 400 [ -~]+\r\nconnection: close\r\n(?:[ -~]+\r\n)*\r\n[ -~]+\n$/,
  );
  expect(session.faults).toEqual(['no-http2']);
}

/** The header blocks of all HEADERS and CONTINUATION frames, put together here and not by what is tested. */
function headerBlocks({ octets, preface_at }: Recording): { stream: number; block: Buffer }[] {
  const { frames } = readFrames(octets.subarray(preface_at + preface.length));
  const blocks: { stream: number; block: Buffer }[] = [];
  for (const { type, stream, flags: bits, payload } of frames) {
    if (type === 'HEADERS') {
      const padding = (bits & flags.PADDED) !== 0 ? [1, payload[0] as number] : [0, 0];
      const start = (padding[0] as number) + ((bits & flags.PRIORITY) !== 0 ? 5 : 0);
      blocks.push({ stream, block: payload.subarray(start, payload.length - (padding[1] as number)) });
    } else if (type === 'CONTINUATION') {
      const last = blocks.at(-1) as { block: Buffer };
      last.block = Buffer.concat([last.block, payload]);
    }
  }
  return blocks;
}

function headOf(stream: WireStream): string {
  return headInWords({
    method: fieldOf(stream, ':method'),
    path: fieldOf(stream, ':path'),
    contentType: fieldOf(stream, 'content-type'),
    grpcTimeout: fieldOf(stream, 'grpc-timeout'),
    grpcEncoding: fieldOf(stream, 'grpc-encoding'),
    contentLength: Number(fieldOf(stream, 'content-length') || -1),
    kept: undefined,
  });
}

/** The last INITIAL_WINDOW_SIZE, and what the client added. */
function sendWindow({ connection }: Recording, { window_updates = [] }: WireStream): number {
  const initial = connection.settings.flat().findLast(([name]) => name === 'INITIAL_WINDOW_SIZE')?.[1];
  return window_updates.reduce((sum, each) => sum + each, initial ?? 65_535);
}

/** An ack for each SETTINGS, and for each PING that is none itself, in their order. */
function expectedAnswers({ frames, connection }: Recording): string[] {
  const pings = (connection.pings ?? []).filter(({ ack }) => !ack);
  let ping = 0;
  return frames
    .filter(({ type, flags: bits }) => (type === 'SETTINGS' || type === 'PING') && (bits & flags.ACK) === 0)
    .map(({ type }) => {
      if (type === 'SETTINGS') return 'SETTINGS ack';
      const { data = '' } = pings[ping++] ?? {};
      return `PING ack ${Buffer.from(data, 'hex').toString('latin1')}`;
    });
}

/** Whose handler is to be called, and with what. */
function expectedCalls({ streams }: Recording): SeenCall[] {
  return streams.flatMap((stream) => {
    const path = fieldOf(stream, ':path');
    const messages = plainMessages(stream);
    const isUnary = path === rateLimitPath || path === checkPath;
    const isCall = isUnary
      ? stream.end !== undefined && messages.length === 1 && stream.rest_hex === undefined
      : path === watchPath || path === reflectionPath;
    return isCall ? [{ path, timeoutMs: timeoutOf(stream), messages }] : [];
  });
}

/** The status of each call whose client waited for it; undefined: there is none. */
function expectedStatus(stream: WireStream): string | undefined {
  const path = fieldOf(stream, ':path');
  if (!fieldOf(stream, 'content-type').startsWith('application/grpc')) return '415';
  if (![rateLimitPath, checkPath, watchPath, reflectionPath].includes(path)) return '12';
  // `curl-expect`: what is no gRPC message is one of a great length.
  if (Number.parseInt(stream.rest_hex?.slice(2, 10) ?? '0', 16) > 4_194_304) return '8';
  return stream.end === undefined ? undefined : '0';
}

async function expectCalls(session: CallSession, recording: Recording): Promise<void> {
  const expected = expectedCalls(recording);
  // Compressed messages are read by other threads.
  await waitUntil('all calls', () => session.seenCalls.length >= expected.length);
  const isAnswered = ({ id, rst, end }: WireStream) =>
    rst !== undefined || end === undefined || session.response(id).hasEnded;
  await waitUntil('all answers', async () => {
    await session.settled();
    return recording.streams.every(isAnswered);
  });
  expect(session.seenCalls.map(inWords).sort()).toEqual(expected.map(inWords).sort());
  for (const stream of recording.streams) {
    if (stream.rst !== undefined) continue;
    const { head, last } = session.response(stream.id);
    expect(last['grpc-status'] ?? head[':status'], `of stream ${stream.id}`).toBe(expectedStatus(stream));
  }
  expect(session.session.state).toBe('open');
}

/** A watch that is cancelled with the same octets that began it may not come to take its message. */
function inWords({ path, timeoutMs, messages }: SeenCall): string {
  return JSON.stringify([path, timeoutMs?.toFixed(3), path === watchPath ? '' : messages]);
}

function isTooLarge(stream: WireStream): boolean {
  return listOctets(stream) > 16_384;
}
