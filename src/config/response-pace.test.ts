import { expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createResponsePace } from './response-pace.ts';

it('answers five at once, then one a second, and five at once again after a while', () => {
  const clock = fakeClock();
  const pace = createResponsePace(clock);
  const answered = () => {
    const waited = pace();
    clock.advance(waited);
    return waited;
  };
  expect(Array.from({ length: 8 }, answered)).toEqual([0, 0, 0, 0, 0, 1_000, 1_000, 1_000]);
  clock.advance(60_000);
  expect(Array.from({ length: 6 }, answered)).toEqual([0, 0, 0, 0, 0, 1_000]);
});
