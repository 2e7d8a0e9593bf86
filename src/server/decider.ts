import type { Caller } from '../domain/caller.ts';
import type { Answer } from '../domain/decision.ts';
import type { RateLimitRequest } from '../domain/descriptor.ts';

/** What the edges need of the limiter: an answer to each request. */
export interface Decider {
  /**
   * @param deadline when the caller stops waiting, by {@link Clock.monotonic}, in ms; undefined when it does not say.
   */
  decide(request: RateLimitRequest, deadline: number | undefined, caller: Caller): Promise<Answer>;
}
