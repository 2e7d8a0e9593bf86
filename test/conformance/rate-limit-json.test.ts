import { describe, expect, it } from 'vitest';
import { shouldRateLimit } from '../support/grpc-client.ts';
import { jsonOfResponse, requestOfJson } from './rate-limit-json.ts';

const { requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } = shouldRateLimit;

describe('requestOfJson', () => {
  it('keeps a present 0, numbers up to 2^64-1 and enum values that have no name', () => {
    const json = {
      domain: 'd',
      descriptors: [
        { entries: [{ key: 'k', value: 'v' }], hitsAddend: 0 },
        { hitsAddend: '18446744073709551615', isNegativeHits: true },
        { limit: { requestsPerUnit: 5, unit: 99 } },
      ],
      hitsAddend: 4_294_967_295,
    };
    expect(requestDeserialize(requestSerialize(requestOfJson(json)))).toMatchObject({
      descriptors: [
        { entries: [{ key: 'k', value: 'v' }], hitsAddend: { value: '0' } },
        { hitsAddend: { value: '18446744073709551615' }, isNegativeHits: true },
        { limit: { requestsPerUnit: 5, unit: 99 } },
      ],
      hitsAddend: 4_294_967_295,
    });
  });
});

describe('jsonOfResponse', () => {
  it('leaves default values out, and keeps messages that are there', () => {
    const message = {
      overallCode: 'OVER_LIMIT',
      statuses: [
        { code: 'OK', currentLimit: { requestsPerUnit: 0, unit: 'UNKNOWN' }, limitRemaining: 0 },
        { code: 'OVER_LIMIT', durationUntilReset: { seconds: 59 } },
      ],
      responseHeadersToAdd: [
        { key: 'a', value: '' },
        { key: 'b', value: '0' },
      ],
      rawBody: Buffer.from('no'),
      dynamicMetadata: {
        fields: {
          n: { numberValue: 0 },
          inf: { numberValue: Number.POSITIVE_INFINITY },
          list: {
            listValue: { values: [{ boolValue: false }, { nullValue: 'NULL_VALUE' }, { stringValue: '' }] },
          },
          map: { structValue: { fields: {} } },
        },
      },
    };
    expect(jsonOfResponse(responseDeserialize(responseSerialize(message)) as never)).toEqual({
      overallCode: 'OVER_LIMIT',
      statuses: [
        { code: 'OK', currentLimit: {} },
        { code: 'OVER_LIMIT', durationUntilReset: '59s' },
      ],
      responseHeadersToAdd: [{ key: 'a' }, { key: 'b', value: '0' }],
      rawBody: 'bm8=',
      dynamicMetadata: { n: 0, inf: 'Infinity', list: [false, null, ''], map: {} },
    });
  });
});
