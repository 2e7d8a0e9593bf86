/** What the exit status of every command means. */
export const exitCodes = Object.freeze({
  /** As it should be: served and stopped, nothing refused, a rule found, the call allowed. */
  ok: 0,
  /** It worked, and the answer is no: something is refused, no rule applies, the call is over limit, not healthy. */
  no: 1,
  /** It could not be done: wrong arguments or settings, nothing to read, no connection. */
  broken: 2,
});
