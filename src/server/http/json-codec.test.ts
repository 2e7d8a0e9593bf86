import { describe, expect, it } from 'vitest';
import { loadProtoRegistry } from '../proto-registry.ts';
import { createJsonCodec } from './json-codec.ts';

const bounds = { maxDescriptors: 3, maxEntries: 2 };
const codec = createJsonCodec({ registry: loadProtoRegistry(), bounds });

function read(body: string | Buffer) {
  return codec.readRequest(Buffer.from(body as string));
}

/** A body with one descriptor, whose fields are given as JSON text. */
function descriptor(fields: string): string {
  return `{"domain": "d", "descriptors": [{"entries": [{"key": "k", "value": "v"}]${fields}}]}`;
}

const entries = [{ key: 'k', value: 'v' }];
const bare = { entries, limit: undefined, hitsAddend: undefined, isNegativeHits: false };

describe('a request in JSON', () => {
  it.each([
    ['', {}],
    [', "limit": null, "hitsAddend": null, "isNegativeHits": null', {}],
    [', "hitsAddend": 5', { hitsAddend: 5 }],
    [', "hits_addend": "5"', { hitsAddend: 5 }],
    [', "hitsAddend": 0', { hitsAddend: 0 }],
    [', "hitsAddend": 1e3', { hitsAddend: 1000 }],
    [', "hitsAddend": 9007199254740993', { hitsAddend: 9_007_199_254_740_992 }],
    [', "hits_addend": 1e17', { hitsAddend: 1e17 }],
    [', "hitsAddend": 18446744073709551615', { hitsAddend: 2 ** 64 }],
    // The same double, which JSON's numbers are here.
    [', "hitsAddend": 18446744073709551616', { hitsAddend: 2 ** 64 }],
    [', "hitsAddend": "18446744073709551615"', { hitsAddend: 2 ** 64 }],
    [', "isNegativeHits": true', { isNegativeHits: true }],
    [', "is_negative_hits": true', { isNegativeHits: true }],
    [', "limit": {"requestsPerUnit": 6, "unit": "DAY"}', { limit: { requestsPerUnit: 6, unit: 'DAY' } }],
    [', "limit": {"requests_per_unit": "6", "unit": 4}', { limit: { requestsPerUnit: 6, unit: 'DAY' } }],
    [', "limit": {"unit": "WEEK"}', { limit: { requestsPerUnit: 0, unit: 'WEEK' } }],
    [', "limit": {"unit": 7}', { limit: { requestsPerUnit: 0, unit: 'WEEK' } }],
    [', "limit": {"unit": "UNKNOWN"}', { limit: { requestsPerUnit: 0, unit: undefined } }],
    [', "limit": {"unit": 99}', { limit: { requestsPerUnit: 0, unit: undefined } }],
    [', "limit": {}', { limit: { requestsPerUnit: 0, unit: undefined } }],
  ])('a descriptor with "%s"', (fields, parts) => {
    expect(read(descriptor(fields))).toEqual({
      domain: 'd',
      hitsAddend: 0,
      descriptors: [{ ...bare, ...parts }],
    });
  });

  it('text becomes UTF-8 octets', () => {
    expect(read('{"domain": "é\\u00e9"}')).toEqual({
      domain: '\xc3\xa9\xc3\xa9',
      descriptors: [],
      hitsAddend: 0,
    });
  });

  it('half a surrogate pair, which a client that cuts text short sends, is no error', () => {
    const entry = '{"key": "k\\ud83d", "value": "\\udc00v"}';
    expect(read(`{"domain": "a\\ud83d", "descriptors": [{"entries": [${entry}]}]}`)).toMatchObject({
      domain: 'a\xef\xbf\xbd',
      descriptors: [{ entries: [{ key: 'k\xef\xbf\xbd', value: '\xef\xbf\xbdv' }] }],
    });
  });

  it.each([
    'not json',
    '',
    '{"domain": "x",',
    '[]',
    'null',
    '7',
    '{"domain": 7}',
    '{"colour": "red"}',
    '{"__proto__": {"domain": "d"}}',
    '{"hitsAddend": -1}',
    '{"hitsAddend": 4294967296}',
    '{"hitsAddend": 1.5}',
    '{"hitsAddend": 1, "hits_addend": 2}',
    '{"descriptors": {}}',
    '{"descriptors": [null]}',
    '{"descriptors": [{"hitsAddend": -1}]}',
    '{"descriptors": [{"hitsAddend": "18446744073709551616"}]}',
    '{"descriptors": [{"hitsAddend": 18446744073709555712}]}',
    '{"descriptors": [{"hitsAddend": -18446744073709551616}]}',
    '{"descriptors": [{"limit": {"requestsPerUnit": 9007199254740993}}]}',
    '{"descriptors": [{"entries": [{"key": "k", "colour": 1}]}]}',
    '{"descriptors": [{"limit": {"unit": "FORTNIGHT"}}]}',
    '['.repeat(100_000),
    `{"colour": ${'[1,'.repeat(50_000)}1${']'.repeat(50_000)}}`,
  ])('%.60s is refused', (body) => {
    expect(read(body)).toMatchObject({
      kind: 'failure',
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^the body is no RateLimitRequest in JSON: ./),
    });
  });

  it('octets that are not UTF-8 are refused, and so is a byte order mark', () => {
    expect(read(Buffer.from('{"domain": "\xff"}', 'latin1'))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(read('\ufeff{"domain": "d"}')).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a body beyond the bounds', () => {
  const body = (...descriptors: string[]) => `{"domain": "d", "descriptors": [${descriptors.join(',')}]}`;
  const withEntries = (count: number) => `{"entries": [${Array(count).fill('{"key": "k"}').join(',')}]}`;
  /** Would be refused for what they are, if they were decoded. */
  const [strangeDescriptor, strangeEntries] = ['{"colour": 1}', '{"entries": [{}, {}, 7]}'];

  it('may have as many descriptors and entries as they say', () => {
    expect(read(body(withEntries(2), withEntries(2), '{}'))).toMatchObject({
      descriptors: [{ entries: [{}, {}] }, { entries: [{}, {}] }, { entries: [] }],
    });
  });

  it.each([
    ['descriptors', body('{}', '{}', '{}', '{}'), 'the request has more descriptors than the 3 allowed'],
    [
      'descriptors, and stranger things',
      body(strangeDescriptor, '{}', '{}', '{}'),
      'the request has more descriptors than the 3 allowed',
    ],
    ['entries', body('{}', withEntries(3)), 'descriptor 1 has more entries than the 2 allowed'],
    [
      'entries, and stranger things',
      body(strangeDescriptor, strangeEntries),
      'descriptor 1 has more entries than the 2 allowed',
    ],
  ])('with too many %s is refused, and not decoded', (_what, text, message) => {
    expect(read(text)).toEqual({ kind: 'failure', code: 'INVALID_ARGUMENT', message });
  });
});

describe('an answer in JSON', () => {
  const allowed = {
    kind: 'decision',
    overallCode: 'OK',
    statuses: [],
    described: undefined,
    responseHeaders: [],
    furtherHeaders: [],
    dynamicMetadata: undefined,
    denialBody: undefined,
  } as const;
  const written = (parts: object) => JSON.parse(codec.writeResponse({ ...allowed, ...parts }));

  it('leaves default values out', () => {
    const unmatched = { code: 'OK', currentLimit: undefined, limitRemaining: 0, secondsUntilReset: 0 };
    expect(written({ statuses: [unmatched] })).toEqual({ overallCode: 'OK', statuses: [{ code: 'OK' }] });
  });

  it('has all that a denial has', () => {
    const currentLimit = { requestsPerUnit: 2, windowSeconds: 3600, unit: 'HOUR', name: 'u' };
    const decision = {
      overallCode: 'OVER_LIMIT',
      statuses: [{ code: 'OVER_LIMIT', currentLimit, limitRemaining: 0, secondsUntilReset: 12 }],
      responseHeaders: [{ name: 'Retry-After', value: '12' }],
      denialBody: { contentType: 'text/plain', text: 'wait' },
    };
    expect(written(decision)).toEqual({
      overallCode: 'OVER_LIMIT',
      statuses: [
        {
          code: 'OVER_LIMIT',
          currentLimit: { requestsPerUnit: 2, unit: 'HOUR', name: 'u' },
          durationUntilReset: '12s',
        },
      ],
      responseHeadersToAdd: [
        { key: 'Retry-After', value: '12' },
        { key: 'content-type', value: 'text/plain' },
      ],
      rawBody: Buffer.from('wait').toString('base64'),
    });
  });

  it('shows metadata, and infinite numbers of it as text', () => {
    const dynamicMetadata = {
      a: [{ most: Number.POSITIVE_INFINITY }, null, 'x'],
      least: -1.5,
      none: Number.NaN,
    };
    expect(written({ dynamicMetadata }).dynamicMetadata).toEqual({
      a: [{ most: 'Infinity' }, null, 'x'],
      least: -1.5,
      none: 'NaN',
    });
  });
});
