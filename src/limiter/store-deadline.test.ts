import { expect, it } from 'vitest';
import { storeDeadline } from './store-deadline.ts';

it.each([
  ['without a deadline, STORE_TIMEOUT', undefined, 250],
  ['a distant deadline, STORE_TIMEOUT', 10_000, 250],
  ["Envoy's default, less 3 ms", 20, 17],
  ['a longer one, less a tenth', 100, 90],
  ['too short to ask', 3, undefined],
  ['over', -1, undefined],
])('%s', (_, left, expected) => {
  const now = 5_000;
  const deadline = left === undefined ? undefined : now + left;
  expect(storeDeadline(now, deadline, 250)).toBe(expected === undefined ? undefined : now + expected);
});
