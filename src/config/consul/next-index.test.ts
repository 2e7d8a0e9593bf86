import { expect, it } from 'vitest';
import { nextIndex } from './next-index.ts';

it.each([
  ['a first one', undefined, '7', 7],
  ['the same, when nothing has changed in time', 7, '7', 7],
  ['a later one', 7, '9', 9],
  ['one that goes backwards: at once, from the beginning', 9, '3', undefined],
  ['0 at first', undefined, '0', 1],
  ['0 later, which is backwards', 9, '0', undefined],
  ['something that is no number', undefined, 'x', 1],
  ['a number beyond all', undefined, '99999999999999999999', 1],
  ['none', undefined, undefined, 1],
])('%s', (_, before, header, index) => {
  expect(nextIndex(before, header)).toBe(index);
});
