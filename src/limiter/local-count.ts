import { type Counting, tokenBucket } from '../domain/counting.ts';
import type { RateLimit } from '../domain/limit.ts';
import type { CounterState, CounterStore } from '../store/counter-store.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import { judgeCounted } from './judge.ts';
import { bindingOutcome } from './judge-limits.ts';
import type { PlannedCount, PlannedDescriptor } from './planned-descriptor.ts';

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
  options: LocalOptions,
): Promise<readonly DescriptorOutcome[]> {
  const outcomes: DescriptorOutcome[] = [];
  for (const one of planned) outcomes.push(await countOne(one, options));
  return outcomes;
}

async function countOne(
  one: PlannedDescriptor,
  { localStore, localShare, nearLimitRatio }: LocalOptions,
): Promise<DescriptorOutcome> {
  const counts = [one.count as PlannedCount, ...one.further].map((count) => shareOf(count, localShare));
  const hits = counts.map(({ hit }) => hit);
  const isList = hits.length > 1;
  const { states, counted } = await localStore[isList ? 'hitUnlessDenied' : 'hit'](
    hits,
    Number.POSITIVE_INFINITY,
  );
  const outcomes = counts.map((count, index) => {
    // In memory every hit has its state.
    const state = states[index] as CounterState;
    const reading = { state, usedBefore: state.before, consumed: counted, fromDenyCache: false };
    return judgeCounted(one, count, reading, nearLimitRatio);
  });
  return isList ? (bindingOutcome(outcomes) as DescriptorOutcome) : (outcomes[0] as DescriptorOutcome);
}

/** The same count against a share of its limit, which it still names. */
function shareOf(count: PlannedCount, share: number): PlannedCount {
  const { hit, limit } = count;
  const part = Math.ceil(hit.limit * share);
  const warnings = count.warnings.map((one) => ({ ...one, above: Math.ceil((one.above + 1) * share) - 1 }));
  return {
    ...count,
    warnings,
    hit: { ...hit, limit: part, counting: countingOf(hit.counting, limit, part, share) },
  };
}

/** A bucket is that of a share of its rate; where that can't be counted exactly, it has the share of its burst alone. */
function countingOf(counting: Counting, limit: RateLimit, burst: number, share: number): Counting {
  if (counting.kind !== 'token_bucket') return counting;
  const tokens = Math.ceil(limit.requestsPerUnit * share);
  return tokenBucket(tokens, limit.windowSeconds, burst) ?? Object.freeze({ ...counting, burst });
}
