import { expect, it } from 'vitest';
import { createRefusalPace } from './refusal-pace.ts';

it('lets the first refusal of a content out at once, and the same again ever more slowly', () => {
  const pace = createRefusalPace();
  const times = Array.from({ length: 7 }, () => pace('a'));
  expect(times).toEqual([0, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  expect([pace('b'), pace('b'), pace('a')]).toEqual([0, 1_000, 0]);
});
