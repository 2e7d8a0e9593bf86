import type { JsonObject } from '../domain/decision.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import type { RateLimit } from '../domain/limit.ts';

/** A place in a file, or in a resource that has no lines. */
export interface Position {
  /** From 1, as the column; 0 where there are no lines. */
  readonly line: number;
  readonly column: number;
  /** In a resource: the way to it, such as `descriptors[3].descriptors[0]`; empty for the resource as a whole. */
  readonly path?: string;
}

/**
 * The configuration of one domain as a source delivered it: checked in itself, not yet compiled. Plain data, so that it
 * can come from a worker thread. YAML files and xDS resources both become this.
 */
export interface RulesDocument {
  /** The path of a file, or `resource 'name'`. */
  readonly file: string;
  readonly domain: string;
  readonly at: Position;
  readonly options: DomainOptions;
  /** Add up where several documents share a domain. */
  readonly exemptions: readonly ExemptionDocument[];
  readonly descriptors: readonly RuleDocument[];
}

/** What is said of a whole domain; undefined where nothing is. */
export interface DomainOptions {
  readonly failurePolicy: FailurePolicy | undefined;
  /** false: hits that are given back are refused. */
  readonly refunds: boolean | undefined;
  /** true: values of callers appear as keyed hashes only. */
  readonly sensitive: boolean | undefined;
  /** Names in client certificates, one of which a caller must have; an empty list lets nobody in. */
  readonly clients: readonly string[] | undefined;
}

/** A request with such an entry is let through, and counted nowhere. Of values, prefix and networks only one kind is there. */
export interface ExemptionDocument {
  readonly at: Position;
  readonly key: string;
  /** As they are. */
  readonly values: readonly string[];
  /** Not empty. */
  readonly prefix: string | undefined;
  /** As in {@link RuleDocument}. */
  readonly cidrs: readonly string[];
}

/** One element of a `descriptors` list. */
export interface RuleDocument {
  readonly at: Position;
  readonly key: string;
  /** Empty when the rule names a key alone, or networks. Stars are patterns. */
  readonly value: string;
  /** Networks in place of a value, each once, in the text and order of `domain/ip-network.ts`; empty where there are none. */
  readonly cidrs: readonly string[];
  /** undefined: each address counts for itself. */
  readonly aggregate: AggregateDocument | undefined;
  /** Empty where there is no limit. Several count and deny together; an unlimited one stands alone. */
  readonly rateLimits: readonly RateLimitDocument[];
  readonly shadowMode: boolean;
  readonly quotaMode: boolean;
  readonly detailedMetric: boolean;
  readonly valueToMetric: boolean;
  readonly shareThreshold: boolean;
  /** Of this rule and those below it, unless they say otherwise. */
  readonly failurePolicy: FailurePolicy | undefined;
  /** Of this rule and those below it. */
  readonly sensitive: boolean;
  readonly metadata: JsonObject | undefined;
  readonly descriptors: readonly RuleDocument[];
}

/** How many bits of an address its counter has; undefined: all of them. */
export interface AggregateDocument {
  /** 1 to 32. */
  readonly ipv4: number | undefined;
  /** 1 to 128. */
  readonly ipv6: number | undefined;
}

/** A `rate_limit`, or an element of `rate_limits`: a limit, or none at all. */
export interface RateLimitDocument {
  readonly limit: RateLimit | 'unlimited';
  /** Means nothing beside `unlimited`. */
  readonly algorithm: AlgorithmDocument;
  /** Shares of the limit, ascending, from which on the client is warned. */
  readonly warnAt: readonly number[];
  /** As written; beside `unlimited` it has no effect and is shown by `/rlconfig` alone. */
  readonly requestsPerUnit: number;
  /** Empty when it has none. An unlimited rule can have one too. */
  readonly name: string;
  /** Names of the rules that this one removes from a request. */
  readonly replaces: readonly string[];
  readonly at: Position;
}

/** How a limit counts, as it is written. */
export type AlgorithmDocument =
  | { readonly kind: 'fixed_window' }
  /** The limit then has a unit of the calendar. */
  | { readonly kind: 'calendar_window'; readonly timeZone: string }
  | { readonly kind: 'sliding_window' }
  /** @see tokenBucket: its burst is small enough to be counted exactly. */
  | { readonly kind: 'token_bucket'; readonly burst: number };
