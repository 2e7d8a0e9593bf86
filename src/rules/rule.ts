import type { Counting } from '../domain/counting.ts';
import type { JsonObject } from '../domain/decision.ts';
import type { Entry } from '../domain/descriptor.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import type { KeyFingerprint } from '../domain/key-fingerprint.ts';
import type { KeyedHash } from '../domain/keyed-hash.ts';
import type { RateLimit } from '../domain/limit.ts';
import type { Octets } from '../domain/octets.ts';
import type { CountedAs } from './networks/counted-as.ts';
import type { AggregateDocument, Position } from './rules-document.ts';

/** A place in the tree that has a limit. */
export interface Rule {
  readonly id: number;
  readonly domain: Octets;
  /** As `/rlconfig` and the reference's statistics name it: `domain.key_value.key`. */
  readonly path: string;
  /** Decided together; empty for a rule without a limit. */
  readonly limits: readonly RuleLimit[];
  /** What is written beside `unlimited`; for `/rlconfig`. */
  readonly unlimitedRequests: number;
  /** Of its limits, those that have one. */
  readonly names: readonly string[];
  readonly replaces: readonly string[];
  readonly shadowMode: boolean;
  readonly quotaMode: boolean;
  readonly metadata: JsonObject | undefined;
  /** undefined: the one for all rules. */
  readonly failurePolicy: FailurePolicy | undefined;
  /** The levels from the top to this rule. */
  readonly levels: readonly RuleLevel[];
  /** How this rule's series are labelled; see telemetry. */
  readonly detailedMetric: boolean;
  /** Where it was declared. */
  readonly file: string;
  readonly at: Position;
}

/** One of a rule's limits. */
export interface RuleLimit {
  readonly limit: RateLimit;
  readonly counting: Counting;
  /** What may be used at once: the limit, or a bucket's burst. */
  readonly capacity: number;
  /** It counts where limits of a second do: so do all limits of its rule. */
  readonly isPerSecond: boolean;
  /** From when on the client is warned; ascending. */
  readonly warnings: readonly Warning[];
  /** Its counter's key for a request's entries; the same for equal identities only. */
  counterKey(entries: readonly Entry[]): string;
  keyFingerprint(entries: readonly Entry[]): KeyFingerprint;
}

/** A share of a limit that is to be told when it is used. */
export interface Warning {
  /** Above 0 and at most 1, as it is written. */
  readonly share: number;
  /** Counts above this are to be told. */
  readonly above: number;
}

/** One level of a rule's path. */
export interface RuleLevel {
  readonly key: string;
  /** Empty for a key alone; for networks what stands for them (`networks/networks-text.ts`). */
  readonly value: string;
  readonly isPattern: boolean;
  /** Networks in place of a value; empty where there are none. */
  readonly cidrs: readonly string[];
  /** How addresses are put together to networks; undefined where each counts for itself. */
  readonly aggregate: AggregateDocument | undefined;
  /** Set where addresses are counted by what they mean, alone or as networks. */
  readonly countedAs: CountedAs | undefined;
  readonly valueToMetric: boolean;
  readonly shareThreshold: boolean;
  /** Set where values of this level must not be seen: what stands for them in counters' keys, logs and metrics. */
  readonly keyedHash: KeyedHash | undefined;
}
