import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/decision.ts';
import { firstDifference } from './compare.ts';

describe('firstDifference', () => {
  const agreeing: [what: string, expected: Json, got: Json][] = [
    ['equal values', { a: [1, 'x', null] }, { a: [1, 'x', null] }],
    ['fields in another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['seconds up to the bound', { d: '<=60s' }, { d: '60s' }],
    ['a header within the bound', ['<=60'], ['1']],
    ['a count within the bound', '<=3', 2],
    ['anything for a star', { a: '*' }, { a: { b: [] } }],
    ['nothing for a star', { a: '*' }, {}],
    ['another message at the top', { status: 'X', message: 'this' }, { status: 'X', message: 'that' }],
  ];
  it.each(agreeing)('accepts %s', (_, expected, got) => {
    expect(firstDifference(expected, got)).toBeUndefined();
  });

  const differing: [what: string, expected: Json, got: Json, place: string][] = [
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, '/a/b'],
    ['a number as text', { a: 1 }, { a: '1' }, '/a'],
    ['a field too many', {}, { a: 0 }, '/a'],
    ['a field too few', { a: 0 }, {}, '/a'],
    ['a list in another order', [1, 2], [2, 1], '/0'],
    ['a longer list', { a: [1] }, { a: [1, 1] }, '/a'],
    ['no seconds left', { d: '<=60s' }, { d: '0s' }, '/d'],
    ['more than the bound', { d: '<=60s' }, { d: '61s' }, '/d'],
    ['a fraction of a second', { d: '<=60s' }, { d: '1.5s' }, '/d'],
    ['seconds without their unit', { d: '<=60s' }, { d: '5' }, '/d'],
    ['a unit where none belongs', { d: '<=60' }, { d: '5s' }, '/d'],
    ['nothing within a bound', { d: '<=60s' }, {}, '/d'],
    ['another message below', { a: { message: 'x' } }, { a: { message: 'y' } }, '/a/message'],
  ];
  it.each(differing)('refuses %s', (_, expected, got, place) => {
    expect(firstDifference(expected, got)).toMatch(new RegExp(`^${place}: expected `));
  });
});
