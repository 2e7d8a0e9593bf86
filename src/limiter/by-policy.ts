import { type FailurePolicy, failurePolicies } from '../domain/failure-policy.ts';
import type { DomainRules } from '../rules/rule-set.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import { findDenying, judgeUnreached } from './judge.ts';
import { countLocally, type LocalOptions } from './local-count.ts';
import type { PlannedDescriptor } from './planned-descriptor.ts';

export interface PolicyOptions extends LocalOptions {
  /** STORE_FAILURE_POLICY, for what has no policy of its own. */
  readonly failurePolicy: FailurePolicy;
}

/** A request, some of whose counters could not be reached. */
export interface Undecided {
  readonly planned: readonly PlannedDescriptor[];
  /** One for each descriptor; undefined where its counter could not be reached. */
  readonly reached: readonly (DescriptorOutcome | undefined)[];
  /** undefined for a domain that is not known. */
  readonly domain: DomainRules | undefined;
}

export interface DecidedByPolicy {
  /** undefined where no policy was needed: a counter that was reached denies whatever the others hold. */
  readonly policy: FailurePolicy | undefined;
  /** undefined: there is no decision, by policy `error`. */
  readonly outcomes: readonly DescriptorOutcome[] | undefined;
}

/**
 * Decides what the store could not tell. An enforced limit that is known to be over denies. Else the strictest policy of
 * those that were not reached applies: `deny`, then `error`, then `local`, then `allow`. A `deny` that denies nothing,
 * as for one quota beside another that is left, leaves it to the next.
 */
export async function decideByPolicy(
  { planned, reached, domain }: Undecided,
  options: PolicyOptions,
): Promise<DecidedByPolicy> {
  const policies = planned.map((one, index) =>
    reached[index] === undefined ? policyOf(one, domain, options) : undefined,
  );
  const complete = (judge: (one: PlannedDescriptor, policy: FailurePolicy) => DescriptorOutcome) =>
    reached.map(
      (outcome, index) =>
        outcome ?? judge(planned[index] as PlannedDescriptor, policies[index] as FailurePolicy),
    );
  const passing = complete((one) => judgeUnreached(one, 'OK'));
  if (findDenying(passing).some(({ isQuota }) => !isQuota)) return { policy: undefined, outcomes: passing };
  const denied = complete((one, policy) => judgeUnreached(one, policy === 'deny' ? 'OVER_LIMIT' : 'OK'));
  if (findDenying(denied).length > 0) return { policy: 'deny', outcomes: denied };
  if (policies.includes('error')) return { policy: 'error', outcomes: undefined };
  if (policies.includes('local')) {
    const isLocal = (_: PlannedDescriptor, index: number) => policies[index] === 'local';
    const counted = (await countLocally(planned.filter(isLocal), options)).values();
    const judge = (one: PlannedDescriptor, policy: FailurePolicy) =>
      policy === 'local' ? (counted.next().value as DescriptorOutcome) : judgeUnreached(one, 'OK');
    return { policy: 'local', outcomes: complete(judge) };
  }
  return { policy: strictest(policies), outcomes: denied };
}

function strictest(policies: readonly (FailurePolicy | undefined)[]): FailurePolicy | undefined {
  return failurePolicies.find((policy) => policies.includes(policy));
}

/**
 * A shadow rule denies nobody, so it must not be in the way either. Giving back can't be denied: the caller is to know
 * that it was not done.
 */
function policyOf(
  { rule, count, isRefund }: PlannedDescriptor,
  domain: DomainRules | undefined,
  { failurePolicy }: PolicyOptions,
): FailurePolicy {
  if (count?.isShadow === true) return 'allow';
  const policy = rule?.failurePolicy ?? domain?.options.failurePolicy ?? failurePolicy;
  return policy === 'deny' && isRefund ? 'error' : policy;
}
