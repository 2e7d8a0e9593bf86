import type { DescriptorStatus } from '../../domain/decision.ts';
import type { DescriptorOutcome } from '../../limiter/decision-event.ts';
import { BusiestSecond } from './busiest-second.ts';
import type { Timeline } from './timeline.ts';

/** What one rule did to the descriptors that it limited. */
export class RuleFigures {
  /** Descriptors that it allowed: those that it let pass although they were over are among them. */
  allowed = 0;
  /** Descriptors that it denied, and with them their requests. */
  denied = 0;
  /** Over the limit, and let pass: by shadow mode, or because another quota of the request was left. */
  overPassed = 0;
  /** Hits asked for; those that were given back are not counted. */
  hits = 0;
  nearLimitHits = 0;
  overLimitHits = 0;
  /** The largest part of a limit, of a bucket's burst, that was used of any of its counters; 1 where one was full. */
  fullest = 0;
  readonly busiest = new BusiestSecond();
  readonly allowedOverTime: Float64Array;
  readonly deniedOverTime: Float64Array;

  constructor(timeline: Timeline) {
    this.allowedOverTime = timeline.addSeries();
    this.deniedOverTime = timeline.addSeries();
  }

  /** @param bucket the place of `timeMs` on the timeline */
  add(outcome: DescriptorOutcome, isRequestDenied: boolean, timeMs: number, bucket: number): void {
    const { status, hits, overLimit } = outcome;
    const isOver = status.code === 'OVER_LIMIT';
    const series = isOver && isRequestDenied ? this.deniedOverTime : this.allowedOverTime;
    series[bucket] = (series[bucket] as number) + 1;
    if (isOver && isRequestDenied) this.denied += 1;
    else this.allowed += 1;
    if ((isOver && !isRequestDenied) || outcome.shadowMode > 0) this.overPassed += 1;
    if (outcome.isRefund) return;
    this.hits += hits;
    this.nearLimitHits += outcome.nearLimit;
    this.overLimitHits += overLimit;
    this.busiest.add(timeMs, hits);
    this.fullest = Math.max(this.fullest, usedPart(outcome));
  }
}

/** Of several limits, the one of which most is used: it need not be the one that binds, which is the one with the least left. */
function usedPart({ status, limits, overLimit, rule }: DescriptorOutcome): number {
  if (overLimit > 0) return 1;
  let most = 0;
  for (const [index, one] of (limits ?? [status]).entries()) {
    most = Math.max(most, usedOfLimit(one, rule?.limits[index]?.capacity));
  }
  return most;
}

/** @param capacity of a rule's limit; that of a request is its number */
function usedOfLimit({ currentLimit, limitRemaining }: DescriptorStatus, capacity?: number): number {
  if (currentLimit === undefined) return 0;
  const most = capacity ?? currentLimit.requestsPerUnit;
  return most === 0 ? 1 : 1 - limitRemaining / most;
}
