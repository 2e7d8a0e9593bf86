import type { RateLimit } from '../domain/limit.ts';
import type { CounterState, CounterStore } from '../store/counter-store.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import { judgeCounted } from './judge.ts';
import type { PlannedCount, PlannedDescriptor } from './plan.ts';

/** Counting in this process, by policy `local`. */
export interface LocalOptions {
  readonly localStore: CounterStore;
  /** LOCAL_SHARE: this process's part of each limit, above 0 and at most 1. */
  readonly localShare: number;
  readonly nearLimitRatio: number;
}

/**
 * Counts these descriptors in this process against their share of the limit. The share is rounded up: a limit of 1 would
 * else deny everybody. Answers name the whole limit, and what is left of the share.
 */
export async function countLocally(
  planned: readonly PlannedDescriptor[],
  { localStore, localShare, nearLimitRatio }: LocalOptions,
): Promise<readonly DescriptorOutcome[]> {
  const counts = planned.map(({ count }) => count as PlannedCount);
  const shares = counts.map(({ limit }) => shareOf(limit, localShare));
  const hits = counts.map(({ hit }, index) => {
    return { ...hit, limit: (shares[index] as RateLimit).requestsPerUnit };
  });
  const { states } = await localStore.hit(hits, Number.POSITIVE_INFINITY);
  return planned.map((one, index) => {
    const count = counts[index] as PlannedCount;
    // In memory every hit has its state.
    const state = states[index] as CounterState;
    const reading = { state, usedBefore: state.before, consumed: true, fromDenyCache: false };
    const share = { ...count, limit: shares[index] as RateLimit };
    const outcome = judgeCounted(one, share, reading, nearLimitRatio);
    return { ...outcome, status: { ...outcome.status, currentLimit: count.limit } };
  });
}

function shareOf(limit: RateLimit, share: number): RateLimit {
  return { ...limit, requestsPerUnit: Math.ceil(limit.requestsPerUnit * share) };
}
