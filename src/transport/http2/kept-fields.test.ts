import { describe, expect, it } from 'vitest';
import { type RequestHead, RequestHeadReader } from './request-head.ts';

const request = [
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', '/a.B/C'],
] as const;

function read(fields: readonly (readonly [string, string])[], kept?: ReadonlySet<string>): RequestHead {
  const reader = new RequestHeadReader(8_192, kept);
  // What a request leaves behind must not show in the next.
  for (const list of [
    [...request, ['traceparent', 'earlier'] as const],
    [...request, ...fields],
  ]) {
    reader.begin(false);
    for (const [name, value] of list) reader.field(name, value);
  }
  return reader.end() as RequestHead;
}

const asked = new Set(['traceparent', 'b3']);

describe('header fields that somebody asked for', () => {
  it.each([
    ['none came', [['x-id', '1']], undefined],
    ['one came', [['traceparent', 'a']], [['traceparent', 'a']]],
    [
      'one came twice',
      [
        ['b3', 'a'],
        ['x-id', '1'],
        ['b3', 'b'],
      ],
      [['b3', 'a,b']],
    ],
  ] as const)('%s', (_, fields, kept) => {
    expect(read(fields, asked).kept).toEqual(kept && new Map(kept));
  });

  it('nothing is kept where nobody asked', () => {
    expect(read([['traceparent', 'a']]).kept).toBeUndefined();
  });
});
