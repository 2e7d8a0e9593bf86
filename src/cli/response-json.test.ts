import { expect, it } from 'vitest';
import { responseJson } from './response-json.ts';

it.each([
  [{}, '0s'],
  [{ seconds: '12' }, '12s'],
  [{ seconds: '1', nanos: 500_000_000 }, '1.500s'],
  [{ nanos: 1_000 }, '0.000001s'],
  [{ nanos: 1 }, '0.000000001s'],
  [{ seconds: '-1', nanos: -500_000_000 }, '-1.500s'],
  [{ nanos: -500_000_000 }, '-0.500s'],
])('a duration of %o is %s', (durationUntilReset, text) => {
  expect(JSON.parse(responseJson({ statuses: [{ code: 'OK', durationUntilReset }] }))).toEqual({
    statuses: [{ code: 'OK', durationUntilReset: text }],
  });
});

it('a quota has a time', () => {
  const quota = { requests: 1, validUntil: { seconds: '1767225600', nanos: 250_000_000 } };
  const json = { requests: 1, validUntil: '2026-01-01T00:00:00.250Z' };
  expect(JSON.parse(responseJson({ quota, statuses: [{ quota }] }))).toEqual({
    quota: json,
    statuses: [{ quota: json }],
  });
});

it('a Struct is the object that it stands for, whatever its names', () => {
  const values = [{ boolValue: false }, { numberValue: 0 }, { nullValue: 'NULL_VALUE' }, { stringValue: '' }];
  const fields = {
    list: { listValue: { values } },
    ['__proto__']: { structValue: { fields: { a: { numberValue: Number.POSITIVE_INFINITY } } } },
    empty: { structValue: {} },
    none: { listValue: {} },
  };
  expect(responseJson({ dynamicMetadata: { fields } })).toBe(
    '{"dynamicMetadata":{"list":[false,0,null,""],"__proto__":{"a":"Infinity"},"empty":{},"none":[]}}',
  );
});
