/** Time kept back for sending the answer: the larger of 3 ms and a tenth of what the caller still waits. */
const leastReserveMs = 3;

/**
 * Until when the store may take.
 * @param deadline when the caller gives up, by the monotonic clock; undefined when it does not say
 * @param storeTimeoutMs STORE_TIMEOUT: the most that the store gets, and all that counts without a deadline
 * @returns undefined when there is no time left to ask
 */
export function storeDeadline(
  now: number,
  deadline: number | undefined,
  storeTimeoutMs: number,
): number | undefined {
  if (deadline === undefined) return now + storeTimeoutMs;
  const left = deadline - now;
  const budget = left - Math.max(leastReserveMs, left / 10);
  return budget <= 0 ? undefined : now + Math.min(budget, storeTimeoutMs);
}
