import type { Clock } from '../../src/domain/clock.ts';

/** A clock that stands still until it is told. */
export interface FakeClock extends Clock {
  /** Lets both times go on. */
  advance(ms: number): void;
  /** Sets the wall clock alone, forwards or back. */
  set(time: string | number): void;
}

export function fakeClock(time: string | number = '2026-01-01T00:00:30Z'): FakeClock {
  let now = new Date(time).getTime();
  let monotonic = 1_000;
  return {
    now: () => now,
    monotonic: () => monotonic,
    advance(ms) {
      now += ms;
      monotonic += ms;
    },
    set(time) {
      now = new Date(time).getTime();
    },
  };
}
