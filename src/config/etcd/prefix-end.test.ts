import { expect, it } from 'vitest';
import { endOfPrefix } from './prefix-end.ts';

it.each([
  [[0x61], [0x62]],
  [
    [0x61, 0x2f],
    [0x61, 0x30],
  ],
  [[0x61, 0xff], [0x62]],
  [[0xff, 0xff], [0x00]],
])('keys that begin with %o end before %o', (prefix, end) => {
  const given = Buffer.from(prefix);
  expect([...endOfPrefix(given)]).toEqual(end);
  expect([...given]).toEqual(prefix);
});
