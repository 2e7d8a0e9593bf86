import { expect, it } from 'vitest';
import { frame, ping, settings, settingsAck } from '../../../test/support/http2-frames.ts';
import { type FrameListener, FrameReader } from './frame-reader.ts';

const limit = 64;

/** Frames of all lengths up to the limit, and with what else a head can hold. */
const frames = Buffer.concat([
  settings([1, 2], [3, 4]),
  settingsAck,
  frame('DATA', 1, 1, Buffer.alloc(limit, 7)),
  frame('DATA', 0, 2 ** 31 - 1, Buffer.alloc(1, 9)),
  frame(0xff, 0xff, 0x1234_5678, Buffer.from('unknown')),
  ping(),
  frame('DATA', 0, 3),
]);

interface Reading {
  readonly reader: FrameReader;
  readonly listener: FrameListener & { isReading: boolean };
  readonly seen: string[];
}

function reading(): Reading {
  const seen: string[] = [];
  const listener = {
    isReading: true,
    frame(type: number, flags: number, id: number, octets: Buffer, start: number, end: number) {
      seen.push(`${type} ${flags} ${id} ${octets.toString('hex', start, end)}`);
    },
    frameTooLarge() {
      seen.push('too large');
      listener.isReading = false;
    },
  };
  return { reader: new FrameReader(listener, limit), listener, seen };
}

function framesOf(...chunks: readonly Buffer[]): string[] {
  const { reader, listener, seen } = reading();
  for (const chunk of chunks) if (listener.isReading) reader.feed(chunk);
  return seen;
}

const whole = framesOf(frames);

it('reads type, flags, stream and payload of each frame', () => {
  expect(whole).toHaveLength(7);
  expect(whole.slice(0, 2)).toEqual(['4 0 0 000100000002000300000004', '4 1 0 ']);
  expect(whole.slice(3)).toEqual([
    `0 0 ${2 ** 31 - 1} 09`,
    `255 255 ${0x1234_5678} ${Buffer.from('unknown').toString('hex')}`,
    `6 0 0 ${Buffer.from('12345678').toString('hex')}`,
    '0 0 3 ',
  ]);
});

it('reads the same when the octets come one by one', () => {
  expect(framesOf(...[...frames].map((octet) => Buffer.of(octet)))).toEqual(whole);
});

it('reads the same when the octets are cut at any two places', () => {
  for (let first = 0; first <= frames.length; first++) {
    for (let second = first; second <= frames.length; second += 1 + (first % 3)) {
      const chunks = [frames.subarray(0, first), frames.subarray(first, second), frames.subarray(second)];
      expect(framesOf(...chunks), `cut at ${first} and ${second}`).toEqual(whole);
    }
  }
});

it('hands out a frame as soon as its last octet is there', () => {
  const { reader, seen } = reading();
  reader.feed(ping().subarray(0, 16));
  expect(seen).toEqual([]);
  reader.feed(ping().subarray(16));
  expect(seen).toHaveLength(1);
});

it('reads frames that came whole where they lie', () => {
  const chunk = Buffer.concat([ping(), ping()]);
  const places: (readonly [ArrayBufferLike, number])[] = [];
  const listener = {
    ...reading().listener,
    frame: (_type: number, _flags: number, _id: number, octets: Buffer, start: number) => {
      places.push([octets.buffer, octets.byteOffset + start]);
    },
  };
  new FrameReader(listener, limit).feed(chunk);
  expect(places).toEqual([
    [chunk.buffer, chunk.byteOffset + 9],
    [chunk.buffer, chunk.byteOffset + 26],
  ]);
});

it('keeps nothing of a chunk that it cut: the chunk may be written over', () => {
  const { reader, seen } = reading();
  const chunk = Buffer.from(ping().subarray(0, 12));
  reader.feed(chunk);
  chunk.fill(0xff);
  reader.feed(ping().subarray(12));
  expect(seen).toEqual([`6 0 0 ${Buffer.from('12345678').toString('hex')}`]);
});

it('a frame above the limit is told of by its head alone, wherever that is cut', () => {
  const head = frame('DATA', 0, 1, Buffer.alloc(limit + 1)).subarray(0, 9);
  for (let at = 0; at <= 9; at++) {
    const chunks = [head.subarray(0, at), head.subarray(at), ping()];
    expect(framesOf(ping(), ...chunks), `cut at ${at}`).toEqual([whole[5], 'too large']);
  }
});

it('frames that follow in the same octets are left when they are not wanted any more', () => {
  const { listener, seen } = reading();
  const stopping: FrameListener = {
    get isReading() {
      return listener.isReading;
    },
    frame(...args) {
      listener.frame(...args);
      listener.isReading = false;
    },
    frameTooLarge: listener.frameTooLarge,
  };
  new FrameReader(stopping, limit).feed(Buffer.concat([ping(), ping(), ping()]));
  expect(seen).toHaveLength(1);
});

it('stops after a hundred frames, to go on where it stopped', () => {
  const { reader, seen } = reading();
  const chunk = Buffer.concat([...Array.from({ length: 250 }, () => ping()), ping().subarray(0, 5)]);
  const stops: number[] = [];
  for (let at = 0; at < chunk.length; stops.push(at)) at = reader.feed(chunk, at);
  expect(stops).toEqual([17 * 100, 17 * 200, chunk.length]);
  expect(seen).toHaveLength(250);
  expect(reader.isMidFrame).toBe(true);
});
