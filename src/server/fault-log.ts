import type { Clock } from '../domain/clock.ts';
import type { LogFields, Logger } from '../log.ts';
import { createSampledLog } from './sampled-log.ts';

/** For exceptions that nobody expected. Their caller gets a fixed text; here is the rest, once a second at most. */
export function createFaultLog(log: Logger, clock: Clock): (fields: LogFields) => void {
  return createSampledLog({
    write: (fields, message) => log.error(fields, message),
    message: 'a request ended with an unexpected exception',
    intervalMs: 1_000,
    clock,
  });
}
