import type { Clock } from '../domain/clock.ts';

/** Responses that are answered at once, and the time for which each next one waits for its answer, in ms. */
const burst = 5;
const eachMs = 1_000;

/**
 * How long to wait with the answer to a response, in ms. The next one comes after the answer: a server that sends one after
 * the other, whatever it is told, would keep a processor busy with rules, and the log with what is wrong with them.
 */
export function createResponsePace(clock: Clock): () => number {
  /** When all that was answered so far would have been, one in each interval. */
  let paidUntil = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    paidUntil = Math.max(paidUntil, now) + eachMs;
    return Math.max(0, paidUntil - burst * eachMs - now);
  };
}
