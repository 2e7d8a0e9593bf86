import { expect, it } from 'vitest';
import { parseHeader, recordOf } from './kept-record.ts';

const header = {
  identity: 'etcd /',
  version: 'v',
  savedAt: 1,
  kind: 'files',
  parts: [{ file: 'a', bytes: 2 }],
};

it('a header says how long each part is', () => {
  const record = recordOf(parseHeader(JSON.stringify(header)), Uint8Array.from([1, 2]));
  expect(record.content).toEqual({ kind: 'files', files: [{ file: 'a', bytes: Uint8Array.from([1, 2]) }] });
});

it.each([
  ['too few octets', [1]],
  ['too many', [1, 2, 3]],
])('%s are refused', (_, octets) => {
  expect(() => recordOf(parseHeader(JSON.stringify(header)), Uint8Array.from(octets))).toThrow('parts');
});

it.each([
  [{ ...header, identity: 5 }],
  [{ ...header, kind: 'else' }],
  [{ ...header, savedAt: 'now' }],
  [{ ...header, parts: [{ file: 'a', bytes: -1 }] }],
  [{ ...header, parts: [null] }],
  [{ ...header, parts: Array.from({ length: 10_001 }, () => ({ file: 'a', bytes: 0 })) }],
])('a header that is none is refused', (wrong) => {
  expect(() => parseHeader(JSON.stringify(wrong))).toThrow('its header is not one of ours');
});
