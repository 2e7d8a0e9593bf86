import { fixedWindow } from '../domain/counting.ts';
import type { Descriptor, LimitOverride, RateLimitRequest } from '../domain/descriptor.ts';
import type { Hit } from '../domain/hit.ts';
import { fingerprintOf, type KeyFingerprint } from '../domain/key-fingerprint.ts';
import { maxUint32, type RateLimit } from '../domain/limit.ts';
import { type Unit, unitSeconds } from '../domain/unit.ts';
import { match } from '../rules/match.ts';
import { findReplaced } from '../rules/replaces.ts';
import type { Rule } from '../rules/rule.ts';
import type { DomainRules } from '../rules/rule-set.ts';
import type { LimitSource } from './decision-event.ts';

/** What is to be done for one descriptor. */
export interface PlannedDescriptor {
  readonly descriptor: Descriptor;
  readonly source: LimitSource;
  readonly rule: Rule | undefined;
  /** Set where the descriptor is counted: `rule` and `override`. */
  readonly count: PlannedCount | undefined;
  /** 0 to 2^32-1. */
  readonly hits: number;
  readonly isRefund: boolean;
}

export interface PlannedCount {
  readonly limit: RateLimit;
  readonly isShadow: boolean;
  readonly isQuota: boolean;
  readonly hit: Hit;
}

export interface PlanOptions {
  /** Every limit is a quota (QUOTA_MODE). */
  readonly quotaMode: boolean;
}

/** The same for the requests of a domain that is configured. */
interface DomainPlanOptions extends PlanOptions {
  readonly rules: DomainRules;
}

/** Finds each descriptor's limit and the hits that the request makes. Pure; `rules` is undefined for an unknown domain. */
export function planRequest(
  request: RateLimitRequest,
  rules: DomainRules | undefined,
  options: PlanOptions,
): readonly PlannedDescriptor[] {
  const { descriptors } = request;
  if (rules === undefined) {
    return descriptors.map((descriptor) => uncounted(request, descriptor, 'unmatched', undefined));
  }
  const domainOptions = { rules, quotaMode: options.quotaMode };
  const matches = findRules(rules, descriptors);
  const replaced = findReplaced(matches);
  const planned = new Array<PlannedDescriptor>(descriptors.length);
  for (let index = 0; index < descriptors.length; index++) {
    const isReplaced = replaced?.[index] === true;
    const descriptor = descriptors[index] as Descriptor;
    planned[index] = planOne(request, descriptor, matches[index], isReplaced, domainOptions);
  }
  return planned.some(isQuotaThatPasses) ? planned.map(withoutQuotaDenial) : planned;
}

/** The plan for a request that its domain exempts: nothing is counted, and nothing given back. */
export function planExempt(request: RateLimitRequest): readonly PlannedDescriptor[] {
  return request.descriptors.map((descriptor) => uncounted(request, descriptor, 'exempt', undefined));
}

/** Those that bring their own limit have none. */
function findRules(rules: DomainRules, descriptors: readonly Descriptor[]): readonly (Rule | undefined)[] {
  const found = new Array<Rule | undefined>(descriptors.length);
  for (let index = 0; index < descriptors.length; index++) {
    const descriptor = descriptors[index] as Descriptor;
    found[index] = descriptor.limit === undefined ? match(rules, descriptor) : undefined;
  }
  return found;
}

function planOne(
  request: RateLimitRequest,
  descriptor: Descriptor,
  rule: Rule | undefined,
  isReplaced: boolean,
  options: DomainPlanOptions,
): PlannedDescriptor {
  if (descriptor.limit !== undefined) return planOverride(request, descriptor, descriptor.limit, options);
  if (rule === undefined) return uncounted(request, descriptor, 'unmatched', undefined);
  if (isReplaced) return uncounted(request, descriptor, 'replaced', rule);
  return planRule(request, descriptor, rule, options);
}

function planRule(
  request: RateLimitRequest,
  descriptor: Descriptor,
  rule: Rule,
  options: PlanOptions,
): PlannedDescriptor {
  const { limit } = rule;
  if (limit === 'unlimited') return uncounted(request, descriptor, 'unlimited', rule);
  const isQuota = rule.quotaMode || options.quotaMode;
  const { entries } = descriptor;
  return counted(request, descriptor, 'rule', {
    rule,
    limit,
    isShadow: rule.shadowMode,
    isQuota,
    key: rule.counterKey(entries),
    fingerprint: rule.keyFingerprint(entries),
  });
}

/** The request's own limit: the tree is not consulted, the whole entry list is the counter's identity. */
function planOverride(
  request: RateLimitRequest,
  descriptor: Descriptor,
  override: LimitOverride,
  options: DomainPlanOptions,
): PlannedDescriptor {
  const unit = override.unit as Unit; // checkRequest has refused requests without one
  const windowSeconds = unitSeconds[unit];
  const limit: RateLimit = { requestsPerUnit: override.requestsPerUnit, windowSeconds, unit, name: '' };
  const { entries } = descriptor;
  return counted(request, descriptor, 'override', {
    rule: undefined,
    limit,
    isShadow: false,
    isQuota: options.quotaMode,
    key: options.rules.overrideKey(entries, windowSeconds),
    fingerprint: fingerprintOf(entries, windowSeconds),
  });
}

interface Counted {
  readonly rule: Rule | undefined;
  readonly limit: RateLimit;
  readonly isShadow: boolean;
  readonly isQuota: boolean;
  readonly key: string;
  readonly fingerprint: KeyFingerprint;
}

function counted(
  request: RateLimitRequest,
  descriptor: Descriptor,
  source: LimitSource,
  { rule, limit, isShadow, isQuota, key, fingerprint }: Counted,
): PlannedDescriptor {
  const hits = hitsOf(request, descriptor);
  const isRefund = descriptor.isNegativeHits;
  const cost = isRefund && hits > 0 ? -hits : hits;
  const hit: Hit = {
    key,
    fingerprint,
    counting: fixedWindow(limit.windowSeconds),
    isPerSecond: limit.windowSeconds === 1,
    cost,
    limit: limit.requestsPerUnit,
    denies: isShadow || isRefund ? 'never' : isQuota ? 'together' : 'always',
  };
  return { descriptor, source, rule, count: { limit, isShadow, isQuota, hit }, hits, isRefund };
}

/** A quota that cannot be over: quotas deny only when all of them are. */
function isQuotaThatPasses({ count, isRefund }: PlannedDescriptor): boolean {
  return count?.isQuota === true && (count.isShadow || isRefund);
}

function withoutQuotaDenial(planned: PlannedDescriptor): PlannedDescriptor {
  const { count } = planned;
  if (count?.hit.denies !== 'together') return planned;
  return { ...planned, count: { ...count, hit: { ...count.hit, denies: 'never' } } };
}

function uncounted(
  request: RateLimitRequest,
  descriptor: Descriptor,
  source: LimitSource,
  rule: Rule | undefined,
): PlannedDescriptor {
  const hits = hitsOf(request, descriptor);
  return { descriptor, source, rule, count: undefined, hits, isRefund: descriptor.isNegativeHits };
}

/** The descriptor's addend where present, also 0; else the request's, where 0 means 1. */
function hitsOf(request: RateLimitRequest, descriptor: Descriptor): number {
  return Math.min(descriptor.hitsAddend ?? (request.hitsAddend || 1), maxUint32);
}
