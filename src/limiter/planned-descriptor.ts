import { type FixedWindow, fixedWindow } from '../domain/counting.ts';
import type { Descriptor, LimitOverride, RateLimitRequest } from '../domain/descriptor.ts';
import type { Denies, Hit } from '../domain/hit.ts';
import { fingerprintOf, type KeyFingerprint } from '../domain/key-fingerprint.ts';
import { maxUint32, type RateLimit } from '../domain/limit.ts';
import { type Unit, unitSeconds, units } from '../domain/unit.ts';
import type { Rule, RuleLimit, Warning } from '../rules/rule.ts';
import type { DomainRules } from '../rules/rule-set.ts';
import type { LimitSource } from './decision-event.ts';

/** What is to be done for one descriptor. */
export interface PlannedDescriptor {
  readonly descriptor: Descriptor;
  readonly source: LimitSource;
  readonly rule: Rule | undefined;
  /** Set where the descriptor is counted: `rule` and `override`. */
  readonly count: PlannedCount | undefined;
  /** Where its rule has several limits, those after the first: all are decided in one step. */
  readonly further: readonly PlannedCount[];
  /** 0 to 2^32-1. */
  readonly hits: number;
  readonly isRefund: boolean;
}

/** One limit of a descriptor. */
export interface PlannedCount {
  readonly limit: RateLimit;
  /** See `RuleLimit`; empty for a limit that a request brings. */
  readonly warnings: readonly Warning[];
  readonly isShadow: boolean;
  readonly isQuota: boolean;
  readonly hit: Hit;
}

export interface PlanOptions {
  /** Every limit is a quota (QUOTA_MODE). */
  readonly quotaMode: boolean;
}

/** The same for the requests of a domain that is configured. */
export interface DomainPlanOptions extends PlanOptions {
  readonly rules: DomainRules;
}

const none: readonly never[] = Object.freeze([]);

/** For a descriptor that a rule matches. */
export function planRule(
  request: RateLimitRequest,
  descriptor: Descriptor,
  rule: Rule,
  options: PlanOptions,
): PlannedDescriptor {
  const { limits } = rule;
  const first = limits[0];
  if (first === undefined) return uncounted(request, descriptor, 'unlimited', rule);
  const { entries } = descriptor;
  const planned = counted(request, descriptor, {
    rule,
    limit: first,
    isShadow: rule.shadowMode,
    isQuota: rule.quotaMode || options.quotaMode,
    key: first.counterKey(entries),
    fingerprint: first.keyFingerprint(entries),
  });
  return limits.length === 1 ? planned : { ...planned, further: planFurther(planned, rule) };
}

/** The limits of a rule after the first, which are hit as that one is. */
function planFurther({ descriptor, count }: Counted, { limits }: Rule): readonly PlannedCount[] {
  const { entries } = descriptor;
  const denies = count.hit.denies === 'together' ? 'with-previous' : count.hit.denies;
  return limits.slice(1).map((one) => {
    const { limit, warnings, counting, isPerSecond, capacity } = one;
    const key = one.counterKey(entries);
    const fingerprint = one.keyFingerprint(entries);
    const hit = { ...count.hit, key, fingerprint, counting, isPerSecond, limit: capacity, denies };
    return { ...count, limit, warnings, hit };
  });
}

/** What requests count by that bring a limit, by its unit. */
const unitWindows = Object.freeze(
  Object.fromEntries(units.map((unit) => [unit, fixedWindow(unitSeconds[unit])])),
) as Readonly<Record<Unit, FixedWindow>>;

/** The request's own limit: the tree is not consulted, the whole entry list is the counter's identity. */
export function planOverride(
  request: RateLimitRequest,
  descriptor: Descriptor,
  override: LimitOverride,
  options: DomainPlanOptions,
): PlannedDescriptor {
  const unit = override.unit as Unit; // checkRequest has refused requests without one
  const windowSeconds = unitSeconds[unit];
  const { requestsPerUnit } = override;
  const { entries } = descriptor;
  return counted(request, descriptor, {
    rule: undefined,
    limit: {
      limit: { requestsPerUnit, windowSeconds, unit, name: '' },
      counting: unitWindows[unit],
      capacity: requestsPerUnit,
      isPerSecond: windowSeconds === 1,
      warnings: none,
    },
    isShadow: false,
    isQuota: options.quotaMode,
    key: options.rules.overrideKey(entries, windowSeconds),
    fingerprint: fingerprintOf(entries, windowSeconds),
  });
}

interface Counted extends PlannedDescriptor {
  readonly count: PlannedCount;
}

interface CountedAs {
  /** undefined for a limit of the request's own. */
  readonly rule: Rule | undefined;
  readonly limit: Pick<RuleLimit, 'limit' | 'counting' | 'capacity' | 'isPerSecond' | 'warnings'>;
  readonly isShadow: boolean;
  readonly isQuota: boolean;
  readonly key: string;
  readonly fingerprint: KeyFingerprint;
}

function counted(
  request: RateLimitRequest,
  descriptor: Descriptor,
  { rule, limit: of, isShadow, isQuota, key, fingerprint }: CountedAs,
): Counted {
  const hits = hitsOf(request, descriptor);
  const isRefund = descriptor.isNegativeHits;
  const hit: Hit = {
    key,
    fingerprint,
    counting: of.counting,
    isPerSecond: of.isPerSecond,
    cost: isRefund && hits > 0 ? -hits : hits,
    limit: of.capacity,
    denies: isShadow || isRefund ? 'never' : isQuota ? 'together' : 'always',
  };
  return {
    descriptor,
    source: rule === undefined ? 'override' : 'rule',
    rule,
    count: { limit: of.limit, warnings: of.warnings, isShadow, isQuota, hit },
    further: none,
    hits,
    isRefund,
  };
}

/** For a descriptor of which nothing is counted. */
export function uncounted(
  request: RateLimitRequest,
  descriptor: Descriptor,
  source: LimitSource,
  rule: Rule | undefined,
): PlannedDescriptor {
  const hits = hitsOf(request, descriptor);
  return {
    descriptor,
    source,
    rule,
    count: undefined,
    further: none,
    hits,
    isRefund: descriptor.isNegativeHits,
  };
}

export function withDenies(count: PlannedCount, denies: Denies): PlannedCount {
  return { ...count, hit: { ...count.hit, denies } };
}

/** The descriptor's addend where present, also 0; else the request's, where 0 means 1. */
function hitsOf(request: RateLimitRequest, descriptor: Descriptor): number {
  return Math.min(descriptor.hitsAddend ?? (request.hitsAddend || 1), maxUint32);
}
