import type { Failure } from '../domain/decision.ts';
import type { RateLimitRequest } from '../domain/descriptor.ts';
import { type RequestBounds, tooManyDescriptors, tooManyEntries } from '../domain/request-bounds.ts';

/** What is wrong with a request, before anything is looked up or counted; undefined for a good one. */
export function checkRequest(request: RateLimitRequest, bounds: RequestBounds): Failure | undefined {
  const { domain, descriptors } = request;
  if (domain === '') return invalid('the domain must not be empty');
  if (descriptors.length === 0) return invalid('at least one descriptor is needed');
  if (descriptors.length > bounds.maxDescriptors) return tooManyDescriptors(bounds);
  for (const [index, { entries, limit }] of descriptors.entries()) {
    if (entries.length > bounds.maxEntries) return tooManyEntries(index, bounds);
    if (limit !== undefined && limit.unit === undefined) {
      return invalid(
        `the limit of descriptor ${index} needs a unit: SECOND, MINUTE, HOUR, DAY, WEEK, MONTH or YEAR`,
      );
    }
  }
  return undefined;
}

function invalid(message: string): Failure {
  return { kind: 'failure', code: 'INVALID_ARGUMENT', message };
}
