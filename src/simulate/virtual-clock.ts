import type { Clock } from '../domain/clock.ts';

/** The time of a log: it goes on with its lines, and never back. */
export interface VirtualClock extends Clock {
  /** Sets both times, unless that would turn them back. @returns how far back, in ms; 0 when it goes on or stands */
  advanceTo(timeMs: number): number;
}

export function createVirtualClock(): VirtualClock {
  let now = 0;
  return {
    now: () => now,
    monotonic: () => now,
    advanceTo(timeMs) {
      if (timeMs < now) return now - timeMs;
      now = timeMs;
      return 0;
    },
  };
}
