import { describe, expect, it } from 'vitest';
import { parseGoList, parseGoMap } from './go-list.ts';

describe('parseGoList', () => {
  it.each([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['a, b', ['a', ' b']],
    ['a,,b,', ['a', '', 'b', '']],
    ['host:1,host:2', ['host:1', 'host:2']],
    ['  ', []],
  ])('%j', (text, value) => {
    expect(parseGoList(text)).toEqual({ ok: true, value });
  });
});

describe('parseGoMap', () => {
  it.each([
    ['k:v', [['k', 'v']]],
    [
      'k1:v1,k2:v2',
      [
        ['k1', 'v1'],
        ['k2', 'v2'],
      ],
    ],
    ['k:', [['k', '']]],
    ['k:v1,k:v2', [['k', 'v2']]],
    ['k: v', [['k', ' v']]],
    [' ', []],
  ] as [string, [string, string][]][])('%j', (text, pairs) => {
    expect(parseGoMap(text)).toEqual({ ok: true, value: new Map(pairs) });
  });

  it.each(['k', 'k:v,', 'k:v:w', 'k=v', 'url:http://x'])('%j has a part that is no pair', (text) => {
    expect(parseGoMap(text)).toMatchObject({ ok: false });
  });
});
