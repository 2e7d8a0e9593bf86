import type { Caller } from '../domain/caller.ts';
import type { Answer, DescriptorStatus } from '../domain/decision.ts';
import type { Descriptor, RateLimitRequest } from '../domain/descriptor.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import type { Rule } from '../rules/rule.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { StoreError } from '../store/store-error.ts';

/** Where a descriptor's limit came from. */
export type LimitSource =
  | 'rule' // a configured limit
  | 'override' // the request's own
  | 'unlimited' // a rule without a limit
  | 'replaced' // a rule that another matched rule replaces
  | 'exempt' // of a request that its domain exempts from all limits
  | 'unmatched'; // no rule, or an unknown domain

/** What became of one descriptor; numbers of hits are as the reference's statistics count them. */
export interface DescriptorOutcome {
  readonly descriptor: Descriptor;
  readonly source: LimitSource;
  /** Set for `rule`, `unlimited` and `replaced`. */
  readonly rule: Rule | undefined;
  readonly status: DescriptorStatus;
  /** It counts as a quota: over together with all others, or not at all. */
  readonly isQuota: boolean;
  /** Hits asked for, 0 or more. Where `isRefund`, they were given back, and the numbers below are 0. */
  readonly hits: number;
  readonly isRefund: boolean;
  readonly withinLimit: number;
  readonly nearLimit: number;
  readonly overLimit: number;
  /** A shadow rule's would-be refusals: what `overLimit` gained. */
  readonly shadowMode: number;
  /** Length of its counter's key, when this hit was the first in its window and so began the counter; else 0. */
  readonly begunKeyLength: number;
  /** Answered by the local deny cache, without the store. */
  readonly fromDenyCache: boolean;
  /** Where its rule has several limits: how each of them stands, as far as it was asked. `status` is that of the one that binds. */
  readonly limits: readonly DescriptorStatus[] | undefined;
  /** Set where so much of a limit is used that its rule has the client warned (`warn_at`). */
  readonly warning: LimitWarning | undefined;
}

/** A limit that is not exceeded yet, of which a share is used that was to be told. */
export interface LimitWarning {
  /** The largest of the shares that are reached; above 0 and at most 1. */
  readonly share: number;
  readonly used: number;
  /** What may be used at once. */
  readonly capacity: number;
  readonly secondsUntilReset: number;
}

/** One request and its answer. The only way out of the limiter to metrics and logs. */
export interface DecisionEvent {
  readonly request: RateLimitRequest;
  readonly caller: Caller;
  readonly rules: RuleSet | undefined;
  readonly domainKnown: boolean;
  readonly answer: Answer;
  /** Empty when the request was refused before its descriptors were looked at. */
  readonly outcomes: readonly DescriptorOutcome[];
  /** Why counters could not be reached. */
  readonly storeErrors: readonly StoreError[];
  /** The policy that decided instead of counters that could not be reached; `error`: that there is no decision. */
  readonly policy: FailurePolicy | undefined;
  /** The caller had given up by then. */
  readonly isLate: boolean;
  /** Global shadow mode turned OVER_LIMIT into OK. */
  readonly shadowed: boolean;
}

/** Called once for each request, in the same turn as the answer. It must not throw and must not keep the event. */
export type DecisionListener = (event: DecisionEvent) => void;
