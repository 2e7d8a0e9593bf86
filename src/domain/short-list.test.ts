import { expect, it } from 'vitest';
import { appended } from './short-list.ts';

it('holds what was added, in order, and leaves an empty list empty', () => {
  const empty: readonly number[] = Object.freeze([]);
  let list = empty;
  for (let item = 0; item < 50; item++) {
    list = appended(list, item);
    expect(list).toEqual(Array.from({ length: item + 1 }, (_, index) => index));
  }
  expect(empty).toEqual([]);
});
