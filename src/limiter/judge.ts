import type { Code, DescriptorStatus } from '../domain/decision.ts';
import { maxUint32 } from '../domain/limit.ts';
import type { CounterState } from '../store/counter-store.ts';
import type { DescriptorOutcome, LimitWarning } from './decision-event.ts';
import { type HitSplit, splitHits } from './near-limit.ts';
import type { PlannedCount, PlannedDescriptor } from './planned-descriptor.ts';

const withoutLimit: DescriptorStatus = Object.freeze({
  code: 'OK',
  currentLimit: undefined,
  limitRemaining: 0,
  secondsUntilReset: 0,
});
const unlimited: DescriptorStatus = Object.freeze({ ...withoutLimit, limitRemaining: maxUint32 });

/** How a counter stands for one planned descriptor. */
export interface CounterReading {
  readonly state: CounterState;
  /** What was used before this request. */
  readonly usedBefore: number;
  /** false when the request was denied and nothing was consumed; what is left is then told without it. */
  readonly consumed: boolean;
  readonly fromDenyCache: boolean;
}

/** The outcome for a descriptor that no counter belongs to. */
export function judgeUncounted(planned: PlannedDescriptor): DescriptorOutcome {
  return {
    descriptor: planned.descriptor,
    source: planned.source,
    rule: planned.rule,
    status: planned.source === 'unlimited' ? unlimited : withoutLimit,
    isQuota: false,
    hits: planned.hits,
    isRefund: planned.isRefund,
    withinLimit: 0,
    nearLimit: 0,
    overLimit: 0,
    shadowMode: 0,
    begunKeyLength: 0,
    fromDenyCache: false,
    limits: undefined,
    warning: undefined,
  };
}

/** Nothing is known of the window; the store may be back in a second. */
const secondsUnreached = 1;

/**
 * The outcome for a descriptor whose counter could not be reached. Where it passes it describes no limit, as nobody knows
 * what remains.
 */
export function judgeUnreached(planned: PlannedDescriptor, code: Code): DescriptorOutcome {
  const { count, hits } = planned;
  const isOver = code === 'OVER_LIMIT';
  return {
    ...judgeUncounted(planned),
    status: isOver
      ? { code, currentLimit: count?.limit, limitRemaining: 0, secondsUntilReset: secondsUnreached }
      : withoutLimit,
    isQuota: count?.isQuota ?? false,
    overLimit: isOver ? hits : 0,
  };
}

/** The outcome for a descriptor whose counter was read. Giving back is never over. */
export function judgeCounted(
  planned: PlannedDescriptor,
  count: PlannedCount,
  reading: CounterReading,
  nearLimitRatio: number,
): DescriptorOutcome {
  const { hits, isRefund } = planned;
  const { limit } = count.hit;
  const isOver = !isRefund && reading.state.after > limit;
  const used = reading.consumed ? reading.state.after : reading.usedBefore;
  const split = isRefund ? noHits : splitReading(reading, count, hits, nearLimitRatio);
  return {
    descriptor: planned.descriptor,
    source: planned.source,
    rule: planned.rule,
    status: {
      code: isOver && !count.isShadow ? 'OVER_LIMIT' : 'OK',
      currentLimit: count.limit,
      limitRemaining: isOver ? 0 : Math.min(Math.max(0, limit - used), maxUint32),
      secondsUntilReset: secondsOf(reading.state),
    },
    isQuota: count.isQuota,
    hits,
    isRefund,
    withinLimit: split.withinLimit,
    nearLimit: split.nearLimit,
    overLimit: split.overLimit,
    shadowMode: count.isShadow ? split.overLimit : 0,
    begunKeyLength: beginsCounter(reading, count) ? count.hit.key.length : 0,
    fromDenyCache: reading.fromDenyCache,
    limits: undefined,
    warning: count.warnings.length === 0 ? undefined : warningOf(count, reading, isOver),
  };
}

/** A look and a refund use nothing, and so warn of nothing. */
function warningOf(
  { hit, warnings }: PlannedCount,
  { state, consumed }: CounterReading,
  isOver: boolean,
): LimitWarning | undefined {
  if (isOver || hit.cost <= 0 || !consumed) return undefined;
  const reached = warnings.findLast(({ above }) => state.after > above);
  if (reached === undefined) return undefined;
  return {
    share: reached.share,
    used: state.after,
    capacity: hit.limit,
    secondsUntilReset: secondsOf(state),
  };
}

function secondsOf({ msUntilReset }: CounterState): number {
  return Math.max(1, Math.ceil(msUntilReset / 1000));
}

function beginsCounter({ state, consumed, fromDenyCache }: CounterReading, { hit }: PlannedCount): boolean {
  const isTaken = hit.counting.kind !== 'token_bucket' || state.after <= hit.limit;
  return state.before === 0 && hit.cost > 0 && consumed && isTaken && !fromDenyCache;
}

const noHits: HitSplit = Object.freeze({ withinLimit: 0, nearLimit: 0, overLimit: 0 });

function splitReading(
  { state, fromDenyCache }: CounterReading,
  { hit }: PlannedCount,
  hits: number,
  nearLimitRatio: number,
): HitSplit {
  // A bucket has all tokens for a hit, or gives it none.
  const isWhollyOver = fromDenyCache || (hit.counting.kind === 'token_bucket' && state.after > hit.limit);
  if (isWhollyOver) return { withinLimit: 0, nearLimit: 0, overLimit: hits };
  return splitHits(state, hits, hit.limit, nearLimitRatio);
}

/** Who denies: enforced limits that are over; else all quotas, when all of them are over; else nobody. */
export function findDenying(outcomes: readonly DescriptorOutcome[]): readonly DescriptorOutcome[] {
  if (outcomes.every(({ status }) => status.code === 'OK')) return none;
  const over = outcomes.filter(({ status }) => status.code === 'OVER_LIMIT');
  const enforced = over.filter(({ isQuota }) => !isQuota);
  if (enforced.length > 0) return enforced;
  const isQuotaLeft = outcomes.some(({ isQuota, status }) => isQuota && status.code === 'OK');
  return isQuotaLeft ? none : over;
}

const none: readonly DescriptorOutcome[] = Object.freeze([]);
