import type { JsonValue } from '@bufbuild/protobuf';
import type { Failure } from '../../domain/decision.ts';
import { type RequestBounds, tooManyDescriptors, tooManyEntries } from '../../domain/request-bounds.ts';

/**
 * A RateLimitRequest in JSON, as parsed: it may have any shape. What is not as expected is passed over here; protobuf's
 * decoder finds it, with a sentence.
 */

/** Which bound the request is beyond; undefined when it is within them. Costs no more than the bounds. */
export function findExcess(request: JsonValue, bounds: RequestBounds): Failure | undefined {
  const descriptors = listIn(request, 'descriptors');
  if (descriptors.length > bounds.maxDescriptors) return tooManyDescriptors(bounds);
  const index = descriptors.findIndex(
    (descriptor) => listIn(descriptor, 'entries').length > bounds.maxEntries,
  );
  return index < 0 ? undefined : tooManyEntries(index, bounds);
}

/**
 * Changes, in place, what protobuf's decoder refuses though it is no fault worth an error: half a surrogate pair, which a
 * client that cuts text short may send, and an addend above 2^53.
 */
export function tolerate(request: JsonValue): void {
  replace(request, 'domain', wellFormed);
  for (const descriptor of listIn(request, 'descriptors')) {
    replace(descriptor, 'hitsAddend', exact);
    replace(descriptor, 'hits_addend', exact);
    for (const entry of listIn(descriptor, 'entries')) {
      replace(entry, 'key', wellFormed);
      replace(entry, 'value', wellFormed);
    }
  }
}

function listIn(parent: JsonValue, field: string): readonly JsonValue[] {
  const value = isObject(parent) && Object.hasOwn(parent, field) ? parent[field] : undefined;
  return Array.isArray(value) ? value : [];
}

function replace(parent: JsonValue, field: string, by: (value: JsonValue) => JsonValue): void {
  if (isObject(parent) && Object.hasOwn(parent, field)) parent[field] = by(parent[field] as JsonValue);
}

function isObject(value: JsonValue): value is { [field: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wellFormed(value: JsonValue): JsonValue {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/**
 * A large integer as text, which protobuf's JSON form takes as well. JSON's numbers are doubles here: 2^64 is most likely
 * the largest addend, 2^64-1, rounded.
 */
function exact(value: JsonValue): JsonValue {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return value === 2 ** 64 ? '18446744073709551615' : BigInt(value).toString();
}
