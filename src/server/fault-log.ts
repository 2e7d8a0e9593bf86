import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../log.ts';
import { Sampler } from '../log-sampler.ts';

/** An exception that nobody expected. */
export interface Fault {
  readonly err: unknown;
  /** Of the method or the page; undefined where there is neither. */
  readonly path: string | undefined;
}

/** Faults' callers get a fixed text; here is the rest, for each path once a second at most. */
export function createFaultLog(log: Logger, clock: Clock): (fault: Fault) => void {
  // More than an edge has paths.
  const sampler = new Sampler({ intervalMs: 1_000, maxSubjects: 20 });
  return ({ err, path }) => {
    const sampled = sampler.take(path ?? '', clock.monotonic());
    if (sampled === undefined) return;
    log.error({ err, path, ...sampled }, 'a request ended with an unexpected exception');
  };
}
