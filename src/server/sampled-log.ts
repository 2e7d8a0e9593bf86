import type { Clock } from '../domain/clock.ts';
import type { LogFields, LogMethod } from '../log.ts';

export interface SampledLogOptions {
  /** Where a line goes, such as `log.warn`. */
  readonly write: LogMethod;
  readonly message: string;
  /** At most one line in this time. */
  readonly intervalMs: number;
  readonly clock: Clock;
}

/**
 * A line that others can cause as often as they like, written now and then: a client that is refused tries again and again.
 * `times` says how often it has happened since the line before.
 */
export function createSampledLog(options: SampledLogOptions): (fields: LogFields) => void {
  const { write, message, intervalMs, clock } = options;
  let quietUntil = Number.NEGATIVE_INFINITY;
  let times = 0;
  return (fields) => {
    times += 1;
    const now = clock.monotonic();
    if (now < quietUntil) return;
    write({ ...fields, times }, message);
    quietUntil = now + intervalMs;
    times = 0;
  };
}
