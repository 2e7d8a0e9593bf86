import { seededRandom } from '../measure.ts';

/**
 * Moments of calls that come independently of one another, as from many users: a Poisson process, whose gaps
 * are exponential. The same seed gives the same moments.
 * @param rate calls a second on average
 * @returns gives one moment after another, in ms after the start
 */
export function poissonArrivals(rate: number, seed: number): () => number {
  const random = seededRandom(seed);
  const meanGap = 1000 / rate;
  let moment = 0;
  return () => {
    moment -= Math.log(1 - random()) * meanGap;
    return moment;
  };
}
