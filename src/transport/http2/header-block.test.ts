import { describe, expect, it } from 'vitest';
import {
  block,
  callFields,
  type FrameName,
  flags,
  frame,
  ping,
  settings,
  settingsAck,
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

const wholeBlock = block(callFields(paths.unary));
const none = Buffer.alloc(0);

/** A header block in HEADERS and as many CONTINUATION as there are further parts. */
function inParts(id: number, parts: readonly Buffer[]): Buffer {
  return Buffer.concat(
    parts.map((part, index) => {
      const end = index === parts.length - 1 ? flags.END_HEADERS : 0;
      return frame(index === 0 ? 'HEADERS' : 'CONTINUATION', end, id, part);
    }),
  );
}

/** A block of so many octets, which holds fields that are fine: each `length` octets of the block. */
function filler(octets: number): Buffer {
  const parts: Buffer[] = [];
  for (let left = octets; left > 0; ) {
    // Three octets for form and name, one or two for the length of the value.
    const length = Math.min(left, 100);
    parts.push(block([['x', 'v'.repeat(length - 4)]]));
    left -= length;
  }
  return Buffer.concat(parts);
}

function callIsAnswered(session: TestSession, id: number): boolean {
  session.feed(wholeCall(id, 'still there'));
  return session.response(id).messages[0] === 'still there';
}

describe('a header block in several frames', () => {
  it('may be cut anywhere', () => {
    const session = new TestSession({ answer: echo });
    for (let at = 0; at <= wholeBlock.length; at++) {
      const id = 2 * at + 1;
      session.feed(
        inParts(id, [wholeBlock.subarray(0, at), wholeBlock.subarray(at)]),
        message(id, 'x', true),
      );
      expect(session.response(id).messages, `cut at ${at}`).toEqual(['x']);
    }
  });

  it('END_STREAM is said by the first of them', () => {
    const session = new TestSession();
    const first = frame('HEADERS', flags.END_STREAM, 1, wholeBlock);
    expect(session.feed(first, frame('CONTINUATION', flags.END_HEADERS, 1))).toEqual([
      expect.stringMatching(/^HEADERS 1 .*grpc-status=13 .*, end$/),
    ]);
  });

  it('also trailers may be', () => {
    const session = new TestSession({ answer: echo });
    const trailers = block([['x-checksum', '17']]);
    session.feed(headers(1), message(1, 'x'));
    session.feed(frame('HEADERS', flags.END_STREAM, 1, trailers.subarray(0, 3)));
    session.feed(frame('CONTINUATION', flags.END_HEADERS, 1, trailers.subarray(3)));
    expect(session.faults).toEqual([]);
    expect(session.session.streams.get(1)?.remoteEnded ?? true).toBe(true);
  });

  it.each([
    ['DATA', data(1, none)],
    ['HEADERS', headers(3)],
    ['PRIORITY', frame('PRIORITY', 0, 3, Buffer.alloc(5))],
    ['RST_STREAM', frame('RST_STREAM', 0, 1, Buffer.alloc(4))],
    ['SETTINGS', settings()],
    ['the ack of SETTINGS', settingsAck],
    ['PING', ping()],
    ['GOAWAY', frame('GOAWAY', 0, 0, Buffer.alloc(8))],
    ['WINDOW_UPDATE', frame('WINDOW_UPDATE', 0, 0, Buffer.of(0, 0, 0, 1))],
    ['a frame of an unknown type', frame(77, 0, 0)],
    ['CONTINUATION of another stream', frame('CONTINUATION', flags.END_HEADERS, 3)],
  ])('nothing comes between: %s is a connection error', (_, between) => {
    const session = new TestSession();
    session.feed(frame('HEADERS', 0, 1, wholeBlock));
    expect(session.feed(between)).toEqual(['GOAWAY 0 PROTOCOL_ERROR protocol']);
  });

  it('after END_HEADERS there is no CONTINUATION', () => {
    const session = new TestSession();
    session.feed(inParts(1, [wholeBlock, none]));
    expect(session.feed(frame('CONTINUATION', flags.END_HEADERS, 1))).toEqual([
      'GOAWAY 1 PROTOCOL_ERROR protocol',
    ]);
  });
});

describe('how much a header block may be: CVE-2024-27316', () => {
  const tooMuch = ['GOAWAY 0 ENHANCE_YOUR_CALM header-block-size'];
  const octetsOf = (count: number) =>
    Array.from({ length: count }, (_, at) => wholeBlock.subarray(at, at + 1));

  it('eight CONTINUATION frames are enough', () => {
    const session = new TestSession({ answer: echo });
    session.feed(inParts(1, [...octetsOf(8), wholeBlock.subarray(8)]), message(1, 'x', true));
    expect(session.response(1).messages).toEqual(['x']);
  });

  it('nine are too many, before there is an end', () => {
    const session = new TestSession();
    const parts = octetsOf(10).map((part, index) =>
      frame(index === 0 ? 'HEADERS' : 'CONTINUATION', 0, 1, part),
    );
    expect(session.feed(...parts.slice(0, 9))).toEqual([]);
    expect(session.feed(...parts.slice(9))).toEqual(tooMuch);
    expect(session.faults).toEqual(['header-block-size']);
  });

  it('one of them may be empty, and the last besides', () => {
    const session = new TestSession({ answer: echo });
    session.feed(inParts(1, [wholeBlock, none, none]), message(1, 'x', true));
    session.feed(inParts(3, [wholeBlock, none, none]), message(3, 'y', true));
    expect([1, 3].map((id) => session.response(id).messages)).toEqual([['x'], ['y']]);
  });

  it('two that are empty are too many', () => {
    const session = new TestSession();
    expect(session.feed(inParts(1, [wholeBlock, none, none, none]))).toEqual(tooMuch);
  });

  it('64 KiB are read, and what is in them is too large for its stream alone', () => {
    const session = new TestSession({ answer: echo });
    const large = Buffer.concat([wholeBlock, filler(65_536 - wholeBlock.length)]);
    expect(large).toHaveLength(65_536);
    const parts = [0, 1, 2, 3].map((part) => large.subarray(part * 16_384, (part + 1) * 16_384));
    expect(session.feed(inParts(1, parts))).toEqual(['RST_STREAM 1 ENHANCE_YOUR_CALM']);
    expect(callIsAnswered(session, 3)).toBe(true);
  });

  it('an octet more is not, and not before the frame is there that has it', () => {
    const session = new TestSession();
    const parts = [0, 1, 2, 3].map((part) =>
      frame(part === 0 ? 'HEADERS' : 'CONTINUATION', 0, 1, Buffer.alloc(16_384)),
    );
    expect(session.feed(...parts)).toEqual([]);
    expect(session.feed(frame('CONTINUATION', flags.END_HEADERS, 1, Buffer.alloc(1)))).toEqual(tooMuch);
  });
});

describe('how much a header list may be', () => {
  /** Of RFC 9113, 6.5.2: names, values and 32 for each field. */
  const listOctets = (fields: readonly (readonly [string, string])[]) =>
    fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
  const usual = callFields(paths.unary);
  const ofOctets = (octets: number): [string, string] => ['x', 'v'.repeat(octets - listOctets(usual) - 33)];
  const ofFields = (count: number) => Array<[string, string]>(count - usual.length).fill(['x', '']);

  it.each([
    ['16 KiB', { more: [ofOctets(16_384)] }],
    ['128 fields', { more: ofFields(128) }],
  ])('%s are read', (_, parts) => {
    const session = new TestSession({ answer: echo });
    session.feed(...oversize(1, parts.more), message(1, 'x', true));
    expect(session.response(1).messages).toEqual(['x']);
    expect(session.faults).toEqual([]);
  });

  it.each([
    ['16 KiB and an octet', { more: [ofOctets(16_385)] }],
    ['129 fields', { more: ofFields(129) }],
    ['129 fields, the last of which is malformed', { more: [...ofFields(128), ['UPPER', '']] }],
  ] as [string, { more: [string, string][] }][])('%s are a stream error', (_, parts) => {
    const session = new TestSession({ answer: echo });
    expect(session.feed(...oversize(1, parts.more), message(1, 'x', true))).toEqual([
      'RST_STREAM 1 ENHANCE_YOUR_CALM',
    ]);
    expect(session.faults).toEqual(['header-list-size']);
    expect(callIsAnswered(session, 3)).toBe(true);
  });

  it('fields that are not kept count for the table all the same', () => {
    const session = new TestSession({ answer: echo });
    const adds = Buffer.concat([Buffer.of(0x40, 1), Buffer.from('a'), Buffer.of(1), Buffer.from('b')]);
    const large = Buffer.concat([wholeBlock, filler(40_000), adds]);
    const parts = [large.subarray(0, 16_384), large.subarray(16_384, 32_768), large.subarray(32_768)];
    expect(session.feed(inParts(1, parts))).toEqual(['RST_STREAM 1 ENHANCE_YOUR_CALM']);
    const refers = frame('HEADERS', flags.END_HEADERS, 3, Buffer.concat([wholeBlock, Buffer.of(0xbe)]));
    session.feed(refers, message(3, 'x', true));
    expect(session.response(3).messages).toEqual(['x']);
  });

  it('a small block with a huge list, by references to one entry, is a stream error', () => {
    const session = new TestSession({ answer: echo });
    const entry = Buffer.concat([
      Buffer.of(0x40, 1),
      Buffer.from('a'),
      Buffer.of(0x7f, 0x81, 0x1e),
      Buffer.alloc(4_000 - 32, 'v'),
    ]);
    const bomb = Buffer.concat([wholeBlock, entry, Buffer.alloc(12_000, 0xbe)]);
    expect(session.feed(frame('HEADERS', flags.END_HEADERS, 1, bomb))).toEqual([
      'RST_STREAM 1 ENHANCE_YOUR_CALM',
    ]);
    expect(callIsAnswered(session, 3)).toBe(true);
  });

  /** HEADERS of which each field is a literal, cut where frames end. */
  function oversize(id: number, more: readonly (readonly [string, string])[]): Buffer[] {
    const octets = block([...usual, ...more]);
    return [inParts(id, [octets.subarray(0, 16_384), octets.subarray(16_384)])];
  }
});

describe('what can not be decoded ends the connection', () => {
  it.each([
    ['an index without an entry', 'be'],
    ['an integer over five octets', '3f808080808000'],
    ['a size update above 4096', '3fe21f'],
    ['a size update behind a field', '8220'],
    ['a Huffman text with EOS', '0084ffffffff00'],
    ['a Huffman text with bad padding', '04811e'],
    ['a text that is cut', '000561'],
  ])('%s', (_, hex) => {
    const bad = Buffer.from(hex, 'hex');
    const atOnce = frame('HEADERS', flags.END_HEADERS, 1, bad);
    for (const octets of [atOnce, inParts(1, [bad.subarray(0, 1), bad.subarray(1)])]) {
      expect(new TestSession().feed(octets)).toEqual(['GOAWAY 0 COMPRESSION_ERROR compression']);
    }
  });
});

it.each(['HEADERS', 'CONTINUATION'] satisfies FrameName[])(
  '%s: above 16384 octets is a connection error',
  (type) => {
    const session = new TestSession();
    if (type === 'CONTINUATION') session.feed(frame('HEADERS', 0, 1, wholeBlock));
    const head = frame(type, 0, 1, Buffer.alloc(16_385)).subarray(0, 9);
    expect(session.feed(head)).toEqual(['GOAWAY 0 FRAME_SIZE_ERROR frame-size']);
  },
);
