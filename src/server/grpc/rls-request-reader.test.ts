import { describe, expect, it } from 'vitest';
import { readRateLimitRequest } from './rls-request-reader.ts';

/** A message written as hex, with spaces, and `'text'` for a text's octets. */
function octets(written: string): Buffer {
  const parts = written.match(/'[^']*'|[0-9a-f]{2}/g) ?? [];
  return Buffer.concat(
    parts.map((part) => (part.startsWith("'") ? Buffer.from(part.slice(1, -1)) : Buffer.from(part, 'hex'))),
  );
}

function read(written: string, bounds = { maxDescriptors: 1_024, maxEntries: 256 }) {
  return readRateLimitRequest(octets(written), bounds);
}

const noDescriptor = { domain: '', descriptors: [], hitsAddend: 0 };

/** A request with one descriptor. */
function withDescriptor(parts: object) {
  const bare = { entries: [], limit: undefined, hitsAddend: undefined, isNegativeHits: false };
  return { ...noDescriptor, descriptors: [{ ...bare, ...parts }] };
}

describe('a well-formed RateLimitRequest', () => {
  it.each([
    ['nothing', '', noDescriptor],
    ['a domain', "0a 04 'edge'", { ...noDescriptor, domain: 'edge' }],
    ['UTF-8, kept as its octets', '0a 02 c3 a9', { ...noDescriptor, domain: '\xc3\xa9' }],
    ['octets that are not UTF-8', '0a 03 ff 80 41', { ...noDescriptor, domain: '\xff\x80A' }],
    ['hits', '18 ff ff ff ff 0f', { ...noDescriptor, hitsAddend: 4_294_967_295 }],
    ['hits of 35 bits: the lower 32', '18 85 80 80 80 10', { ...noDescriptor, hitsAddend: 5 }],
    ['an over-long varint', '18 85 80 80 80 00', { ...noDescriptor, hitsAddend: 5 }],
    ['hits of 64 bits', '18 ff ff ff ff ff ff ff ff ff 01', { ...noDescriptor, hitsAddend: 4_294_967_295 }],
    ['an empty descriptor', '12 00', withDescriptor({})],
    [
      'entries in order, with a value and without',
      "12 0e 0a 04 0a 02 'k1' 0a 06 0a 01 'k' 12 01 'v'",
      withDescriptor({
        entries: [
          { key: 'k1', value: '' },
          { key: 'k', value: 'v' },
        ],
      }),
    ],
    ['an empty entry', '12 02 0a 00', withDescriptor({ entries: [{ key: '', value: '' }] })],
    ['a refund', '12 02 20 01', withDescriptor({ isNegativeHits: true })],
    [
      'a bool with its only bit far up',
      '12 07 20 80 80 80 80 80 01',
      withDescriptor({ isNegativeHits: true }),
    ],
    ['no addend', '12 02 20 00', withDescriptor({ hitsAddend: undefined })],
    ['an addend that is present and 0', '12 02 1a 00', withDescriptor({ hitsAddend: 0 })],
    ['an addend of 2^32', '12 08 1a 06 08 80 80 80 80 10', withDescriptor({ hitsAddend: 2 ** 32 })],
    [
      'an addend of 2^53-1, exactly',
      '12 0b 1a 09 08 ff ff ff ff ff ff ff 0f',
      withDescriptor({ hitsAddend: Number.MAX_SAFE_INTEGER }),
    ],
    [
      'an addend of 2^64-1, rounded',
      '12 0d 1a 0b 08 ff ff ff ff ff ff ff ff ff 01',
      withDescriptor({ hitsAddend: 2 ** 64 }),
    ],
  ])('%s', (_what, written, expected) => {
    expect(read(written)).toEqual(expected);
  });
});

describe('a limit of the request', () => {
  it.each([
    ['12 06 12 04 08 05 10 02', { requestsPerUnit: 5, unit: 'MINUTE' }],
    ['12 04 12 02 10 01', { requestsPerUnit: 0, unit: 'SECOND' }],
    ['12 04 12 02 10 05', { requestsPerUnit: 0, unit: 'MONTH' }],
    ['12 04 12 02 10 06', { requestsPerUnit: 0, unit: 'YEAR' }],
    ['12 04 12 02 10 07', { requestsPerUnit: 0, unit: 'WEEK' }],
  ])('%s', (written, limit) => {
    expect(read(written)).toEqual(withDescriptor({ limit }));
  });

  it.each([
    ['absent', '12 04 12 02 08 05'],
    ['UNKNOWN', '12 06 12 04 08 05 10 00'],
    ['99', '12 06 12 04 08 05 10 63'],
    ['-1', '12 0f 12 0d 08 05 10 ff ff ff ff ff ff ff ff ff 01'],
  ])('X01: unit %s is no unit, and no reason to fail here', (_what, written) => {
    expect(read(written)).toEqual(withDescriptor({ limit: { requestsPerUnit: 5, unit: undefined } }));
  });

  it('X01: a limit without anything is there all the same', () => {
    expect(read('12 02 12 00')).toEqual(withDescriptor({ limit: { requestsPerUnit: 0, unit: undefined } }));
  });
});

describe('what newer or odd senders may write', () => {
  it.each([
    ['a varint', '28 96 01'],
    ['64 bits', '29 01 02 03 04 05 06 07 08'],
    ['a text', "2a 03 'abc'"],
    ['32 bits', '2d 01 02 03 04'],
    ['a group', '2b 08 01 2c'],
    ['groups in a group', "2b 33 0a 01 'a' 34 33 34 2c"],
    ['the largest field number', 'f8 ff ff ff 0f 01'],
  ])('an unknown field is skipped: %s', (_what, written) => {
    expect(read(`0a 01 'a' ${written} 18 02`)).toEqual({ ...noDescriptor, domain: 'a', hitsAddend: 2 });
  });

  it('a known field of another wire type is an unknown one', () => {
    expect(read('08 05 1a 01 07 12 02 08 03')).toEqual(withDescriptor({}));
  });

  it('the last of a doubled scalar counts', () => {
    expect(read("0a 01 'a' 18 01 0a 01 'b' 18 02")).toEqual({ ...noDescriptor, domain: 'b', hitsAddend: 2 });
    expect(read("12 08 0a 06 0a 01 'k' 0a 01 'l'")).toEqual(
      withDescriptor({ entries: [{ key: 'l', value: '' }] }),
    );
    expect(read('12 04 20 01 20 00')).toEqual(withDescriptor({ isNegativeHits: false }));
  });

  it('doubled messages are merged', () => {
    const limit = { requestsPerUnit: 5, unit: 'HOUR' };
    expect(read('12 08 12 02 08 05 12 02 10 03')).toEqual(withDescriptor({ limit }));
    expect(read('12 06 1a 02 08 07 1a 00')).toEqual(withDescriptor({ hitsAddend: 7 }));
  });
});

describe('octets that are no RateLimitRequest', () => {
  it.each([
    ['a tag that does not end', '80', 0],
    ['field number 0', '00 01', 0],
    ['a tag of more than 32 bits', '88 80 80 80 10 01', 0],
    ['a field without its value', "0a 01 'a' 18", 4],
    ['a text longer than the message', '0a 05 61', 1],
    ['a length above 2^32', '0a 80 80 80 80 10 61', 1],
    ['a varint of more than 64 bits', '18 ff ff ff ff ff ff ff ff ff 02', 1],
    ['a varint of eleven octets', '18 80 80 80 80 80 80 80 80 80 80 01', 1],
    ['an entry longer than its descriptor', '12 02 0a 05 00 00 00 00 00', 3],
    ['a varint that leaves its message', '12 02 20 80 01', 3],
    ['wire type 6', '2e 00', 1],
    ['wire type 7', '2f 00', 1],
    ['32 bits cut short', '2d 01 02 03', 1],
    ['64 bits cut short', '29 01 02 03 04 05 06 07', 1],
    ['a group that does not end', '2b 08 01', 3],
    ['the end of another group', '2b 34', 1],
    ['the end of a group that did not begin', '2c', 1],
  ])('%s', (_what, written, at) => {
    expect(read(written)).toEqual({
      kind: 'failure',
      code: 'INVALID_ARGUMENT',
      message: `malformed RateLimitRequest: octet ${at} of the message can't be read`,
    });
  });

  it('groups are followed 100 deep and no further', () => {
    const nested = (depth: number) => `${'2b '.repeat(depth)}${'2c '.repeat(depth)}`;
    expect(read(nested(100))).toEqual(noDescriptor);
    expect(read(nested(101))).toMatchObject({ kind: 'failure' });
    expect(read('2b '.repeat(100_000))).toMatchObject({ kind: 'failure' });
  });
});

describe('a message beyond the bounds', () => {
  const bounds = { maxDescriptors: 2, maxEntries: 3 };
  const entries = (count: number) => `12 0${2 * count} ${'0a 00 '.repeat(count)}`;
  const tooManyDescriptors = 'the request has more descriptors than the 2 allowed';
  const tooManyEntries = (index: number) => `descriptor ${index} has more entries than the 3 allowed`;
  /** Would be malformed, if it were read. */
  const unread = '07';

  it('may have as many descriptors and entries as they say', () => {
    expect(read(entries(3) + entries(3), bounds)).toMatchObject({
      descriptors: [{ entries: [{}, {}, {}] }, { entries: [{}, {}, {}] }],
    });
  });

  it.each([
    ['descriptors', '12 00 12 00 12 00', tooManyDescriptors],
    ['descriptors, of which the first too many is bad', `12 00 12 00 12 01 ${unread}`, tooManyDescriptors],
    ['descriptors, and more after them', `12 00 12 00 12 00 ${unread}`, tooManyDescriptors],
    ['entries', entries(4), tooManyEntries(0)],
    ['entries of the last descriptor', entries(3) + entries(4), tooManyEntries(1)],
    ['entries, and more after them', `12 09 ${'0a 00 '.repeat(4)} ${unread}`, tooManyEntries(0)],
    ['entries, and descriptors after them', entries(4) + unread, tooManyEntries(0)],
    ['both', entries(4) + entries(1).repeat(9), tooManyEntries(0)],
  ])('with too many %s is refused, and not read any further', (_what, written, message) => {
    expect(read(written, bounds)).toEqual({ kind: 'failure', code: 'INVALID_ARGUMENT', message });
  });
});
