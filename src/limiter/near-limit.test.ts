import { describe, expect, it } from 'vitest';
import { splitHits } from './near-limit.ts';

describe('splitHits()', () => {
  it.each([
    // what, before, after, hits, limit, within, near, over; the threshold of 10 is 8
    ['below the threshold', 0, 3, 3, 10, 3, 0, 0],
    ['up to the threshold', 0, 8, 8, 10, 8, 0, 0],
    ['past the threshold', 0, 9, 9, 10, 9, 1, 0],
    ['between threshold and limit', 8, 10, 2, 10, 2, 2, 0],
    ['from above the threshold', 9, 10, 1, 10, 1, 1, 0],
    ['crossing the limit from nothing', 0, 15, 15, 10, 0, 2, 5],
    ['crossing from above the threshold', 9, 13, 4, 10, 0, 1, 3],
    ['at the limit', 10, 11, 1, 10, 0, 0, 1],
    ['over the limit', 12, 15, 3, 10, 0, 0, 3],
    ['a limit of 0', 0, 1, 1, 0, 0, 0, 1],
    ['a limit of 1', 0, 1, 1, 1, 1, 1, 0],
    ['a look at nothing', 0, 0, 0, 10, 0, 0, 0],
    ['a look at a full counter', 10, 10, 0, 10, 0, 0, 0],
    // single precision: the threshold of 5242881 is 4194305 and that of 16777225 is 13421779
    ['limit and ratio in single precision, above', 4_194_305, 4_194_306, 1, 5_242_881, 1, 1, 0],
    ['limit and ratio in single precision, below', 0, 13_421_780, 13_421_780, 16_777_225, 13_421_780, 1, 0],
  ])('%s', (_, before, after, hits, limit, withinLimit, nearLimit, overLimit) => {
    expect(splitHits({ before, after }, hits, limit, 0.8)).toEqual({ withinLimit, nearLimit, overLimit });
  });
});
