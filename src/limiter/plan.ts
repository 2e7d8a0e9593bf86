import type { Descriptor, RateLimitRequest } from '../domain/descriptor.ts';
import { match } from '../rules/match.ts';
import { findReplaced } from '../rules/replaces.ts';
import type { Rule } from '../rules/rule.ts';
import type { DomainRules } from '../rules/rule-set.ts';
import {
  type DomainPlanOptions,
  type PlannedDescriptor,
  type PlanOptions,
  planOverride,
  planRule,
  uncounted,
  withDenies,
} from './planned-descriptor.ts';

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

/** A quota that cannot be over: quotas deny only when all of them are. */
function isQuotaThatPasses({ count, isRefund }: PlannedDescriptor): boolean {
  return count?.isQuota === true && (count.isShadow || isRefund);
}

function withoutQuotaDenial(planned: PlannedDescriptor): PlannedDescriptor {
  const { count, further } = planned;
  if (count?.hit.denies !== 'together') return planned;
  return {
    ...planned,
    count: withDenies(count, 'never'),
    further: further.map((one) => withDenies(one, 'never')),
  };
}
