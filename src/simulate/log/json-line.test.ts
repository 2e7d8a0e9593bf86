import { describe, expect, it } from 'vitest';
import { createJsonLineReader } from './json-line.ts';

const read = createJsonLineReader();
const time = '2026-11-02T10:00:00Z';
const line = (fields: object) => read(JSON.stringify({ time, domain: 'api', descriptors: [], ...fields }));
const descriptor = (fields: object) =>
  line({ descriptors: [{ entries: [{ key: 'k', value: 'v' }], ...fields }] });

describe('createJsonLineReader()', () => {
  it('reads the message of /json with its time', () => {
    expect(
      line({
        hits: 3,
        descriptors: [
          { entries: [{ key: 'user', value: 'zoë' }, { key: 'alone' }] },
          {
            entries: [],
            hitsAddend: 0,
            isNegativeHits: true,
            limit: { requestsPerUnit: 5, unit: 'MINUTE' },
          },
        ],
      }),
    ).toEqual({
      kind: 'request',
      timeMs: Date.parse(time),
      request: {
        domain: 'api',
        hitsAddend: 3,
        descriptors: [
          {
            entries: [
              // Octets of UTF-8, as a request on the wire has them.
              { key: 'user', value: 'zo\u00c3\u00ab' },
              { key: 'alone', value: '' },
            ],
            limit: undefined,
            hitsAddend: undefined,
            isNegativeHits: false,
          },
          {
            entries: [],
            limit: { requestsPerUnit: 5, unit: 'MINUTE' },
            hitsAddend: 0,
            isNegativeHits: true,
          },
        ],
      },
    });
  });

  it.each([{ hitsAddend: 2 }, { hits_addend: 2 }, { hits: 2 }])(
    '%j are the hits of the request',
    (fields) => {
      expect(line(fields)).toMatchObject({ request: { hitsAddend: 2 } });
    },
  );

  it('takes the names of proto as well', () => {
    const limit = { requests_per_unit: 5, unit: 'DAY' };
    expect(descriptor({ hits_addend: 7, is_negative_hits: true, limit })).toMatchObject({
      request: {
        descriptors: [{ hitsAddend: 7, isNegativeHits: true, limit: { requestsPerUnit: 5, unit: 'DAY' } }],
      },
    });
  });

  it.each([
    ['no JSON', read('{"time"'), 'it is not a JSON object'],
    ['a list', read('[]'), 'it is not a JSON object'],
    ['no time', line({ time: undefined }), expect.stringMatching(/^the time must be RFC 3339/)],
    ['no domain', line({ domain: 7 }), "'domain' must be text"],
    ['no descriptors', line({ descriptors: {} }), "'descriptors' must be a list"],
    ['half a hit', line({ hits: 0.5 }), "'hits' must be a whole number from 0 to 4294967295"],
    ['hits as text', line({ hits: '1' }), "'hits' must be a whole number from 0 to 4294967295"],
    ['no entries', line({ descriptors: [{}] }), "descriptors[0] needs 'entries', a list"],
    [
      'a value that is no text',
      line({ descriptors: [{ entries: [{ key: 'k', value: 7 }] }] }),
      "descriptors[0].entries[0] needs 'key' and 'value', both text",
    ],
    [
      'hits below 0',
      descriptor({ hitsAddend: -1 }),
      "'hitsAddend' of descriptors[0] must be a whole number from 0",
    ],
    [
      'a word for true',
      descriptor({ isNegativeHits: 'yes' }),
      "'isNegativeHits' of descriptors[0] must be true or false",
    ],
    [
      'a limit without a unit',
      descriptor({ limit: { requestsPerUnit: 1 } }),
      expect.stringMatching(/^'limit' of descriptors\[0\] needs 'requestsPerUnit', and a 'unit' of SECOND, /),
    ],
  ])('%s is a fault', (_, read, message) => {
    expect(read).toEqual({ kind: 'fault', message });
  });
});
