import { expect, it } from 'vitest';
import { limiterFixture } from '../../test/support/limiter-fixture.ts';
import { descriptor, request } from '../../test/support/requests.ts';
import type { Octets } from '../domain/octets.ts';
import { dynamicMetadata } from './dynamic-metadata.ts';

it('merges maps entry by entry, and makes a plain entry of any name', async () => {
  const yaml = `
domain: shop
descriptors:
  - {key: a, metadata: {m: {x: 1}, l: [1]}, rate_limit: {unit: hour, requests_per_unit: 9}}
  - {key: b, metadata: {m: {z: 2}, l: [2], __proto__: {polluted: true}}, rate_limit: {unit: hour, requests_per_unit: 9}}`;
  const { decide } = limiterFixture({ yaml, dynamicMetadata: true });
  const { dynamicMetadata: given } = await decide('a=1', 'b=1');
  const merged = given?.['metadata'];
  expect(JSON.stringify(merged)).toBe('{"m":{"x":1,"z":2},"l":[1],"__proto__":{"polluted":true}}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});

it.each([
  ['hits given back', descriptor('a=1', { hits: 2, refund: true }), { hitsAddend: 2, isNegativeHits: true }],
  ['a limit', descriptor('a=1', { limit: [5, 'DAY'] }), { limit: 'requests_per_unit:5 unit:DAY' }],
  ['a limit of 0', descriptor('a=1', { limit: [0, 'WEEK'] }), { limit: 'unit:WEEK' }],
])('repeats %s', (_, one, parts) => {
  expect(dynamicMetadata(request('shop', [one]), [], undefined)).toEqual({
    domain: 'shop',
    descriptors: [{ entries: ['a=1'], ...parts }],
  });
});

it('makes octets that are no text valid UTF-8', () => {
  const odd = { ...descriptor(''), entries: [{ key: 'k' as Octets, value: '\xe9\xff' as Octets }] };
  expect(dynamicMetadata(request('shop', [odd]), [], undefined)['descriptors']).toEqual([
    { entries: ['k=\ufffd\ufffd'] },
  ]);
});
