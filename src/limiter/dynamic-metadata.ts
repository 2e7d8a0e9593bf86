import type { Json, JsonObject } from '../domain/decision.ts';
import type { Descriptor, LimitOverride, RateLimitRequest } from '../domain/descriptor.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import { textOf } from '../domain/octets.ts';
import type { DescriptorOutcome } from './decision-event.ts';

/**
 * The request repeated, and the metadata of the rules that passed, for Envoy's later filters. Here alone callers' octets
 * are made valid UTF-8, as a google.protobuf.Struct demands. A policy that decided instead of the store is named.
 */
export function dynamicMetadata(
  request: RateLimitRequest,
  outcomes: readonly DescriptorOutcome[],
  policy: FailurePolicy | undefined,
): JsonObject {
  const merged = mergeMetadata(outcomes);
  return {
    domain: textOf(request.domain),
    descriptors: request.descriptors.map(describe),
    ...(request.hitsAddend > 0 && { hitsAddend: request.hitsAddend }),
    ...(merged !== undefined && { metadata: merged }),
    ...(policy !== undefined && { failurePolicy: policy }),
  };
}

function describe(descriptor: Descriptor): JsonObject {
  return {
    entries: descriptor.entries.map(({ key, value }) => `${textOf(key)}=${textOf(value)}`),
    ...(descriptor.hitsAddend !== undefined && { hitsAddend: descriptor.hitsAddend }),
    ...(descriptor.isNegativeHits && { isNegativeHits: true }),
    ...(descriptor.limit !== undefined && { limit: printOverride(descriptor.limit) }),
  };
}

/** Protobuf's text format, which leaves out a 0. */
function printOverride({ requestsPerUnit, unit }: LimitOverride): string {
  return requestsPerUnit === 0 ? `unit:${unit}` : `requests_per_unit:${requestsPerUnit} unit:${unit}`;
}

/** Of counted rules that are not over; a shadow rule passes always. The first descriptor wins for equal names. */
function mergeMetadata(outcomes: readonly DescriptorOutcome[]): JsonObject | undefined {
  let merged: JsonObject | undefined;
  for (const { source, rule, status } of outcomes) {
    if (source !== 'rule' || rule?.metadata === undefined || status.code === 'OVER_LIMIT') continue;
    merged = merged === undefined ? rule.metadata : mergeMaps(merged, rule.metadata);
  }
  return merged;
}

/** A new map with all of `first`, and of `second` what is not there; maps in both are merged likewise, lists are not. */
function mergeMaps(first: JsonObject, second: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const there = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (there === undefined) setOwn(merged, name, value);
    else if (isMap(there) && isMap(value)) setOwn(merged, name, mergeMaps(there, value));
  }
  return merged;
}

/** Assignment that makes a plain entry of any name, `__proto__` too. */
function setOwn(map: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(map, name, { value, enumerable: true, writable: true, configurable: true });
}

function isMap(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
