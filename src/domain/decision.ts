import type { RateLimit } from './limit.ts';

/** Codes of Envoy's RateLimitResponse. */
export type Code = 'OK' | 'OVER_LIMIT';

/** The answer for one descriptor. */
export interface DescriptorStatus {
  readonly code: Code;
  /** undefined for a descriptor without a rule, and for an unlimited one. */
  readonly currentLimit: RateLimit | undefined;
  /** 0 to 2^32-1. */
  readonly limitRemaining: number;
  /** Whole seconds, rounded up, at least 1; 0 where there is no limit. */
  readonly secondsUntilReset: number;
}

/** A header of the response to the client. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** Any value that JSON can hold; dynamic metadata is made of it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** The answer to a request. */
export interface Decision {
  readonly kind: 'decision';
  readonly overallCode: Code;
  /** One for each descriptor, in order. */
  readonly statuses: readonly DescriptorStatus[];
  /** The one of them whose limit the client is told; undefined when no enforced limit applied. */
  readonly described: DescriptorStatus | undefined;
  readonly responseHeaders: readonly Header[];
  /** Those of them that do not describe `described`. */
  readonly furtherHeaders: readonly Header[];
  readonly dynamicMetadata: JsonObject | undefined;
  /** Body of the reply to the client when the request is denied, and its content type. */
  readonly denialBody: DenialBody | undefined;
}

export interface DenialBody {
  readonly contentType: string;
  readonly text: string;
}

/** Why there is no decision. The edges turn each into their own status (`server/failure-status.ts`). */
export type FailureCode =
  | 'INVALID_ARGUMENT'
  | 'PERMISSION_DENIED'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'RESOURCE_EXHAUSTED';

/** No decision. A value, not an exception: it is as ordinary as an answer, and may come as often. */
export interface Failure {
  readonly kind: 'failure';
  readonly code: FailureCode;
  /** For the caller: says what to change, and nothing of the inside. */
  readonly message: string;
}

/** The caller is wrong, and will be with the same request again. */
export function invalidArgument(message: string): Failure {
  return { kind: 'failure', code: 'INVALID_ARGUMENT', message };
}

export type Answer = Decision | Failure;
