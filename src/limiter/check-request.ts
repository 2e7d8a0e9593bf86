import { type Caller, isAmong } from '../domain/caller.ts';
import { type Failure, invalidArgument } from '../domain/decision.ts';
import type { Descriptor, RateLimitRequest } from '../domain/descriptor.ts';
import { type RequestBounds, tooManyDescriptors, tooManyEntries } from '../domain/request-bounds.ts';
import type { DomainRules } from '../rules/rule-set.ts';
import { noRefunds, notAClient } from './failure.ts';

/** What is wrong with a request, before anything is looked up or counted; undefined for a good one. */
export function checkRequest(request: RateLimitRequest, bounds: RequestBounds): Failure | undefined {
  const { domain, descriptors } = request;
  if (domain === '') return invalidArgument('the domain must not be empty');
  if (descriptors.length === 0) return invalidArgument('at least one descriptor is needed');
  if (descriptors.length > bounds.maxDescriptors) return tooManyDescriptors(bounds);
  for (let index = 0; index < descriptors.length; index += 1) {
    const { entries, limit } = descriptors[index] as Descriptor;
    if (entries.length > bounds.maxEntries) return tooManyEntries(index, bounds);
    if (limit !== undefined && limit.unit === undefined) {
      return invalidArgument(
        `the limit of descriptor ${index} needs a unit: SECOND, MINUTE, HOUR, DAY, WEEK, MONTH or YEAR`,
      );
    }
  }
  return undefined;
}

/**
 * What the domain of a sound request does not allow. A caller who may not use it learns nothing else of it. One refund
 * refuses the whole request: whoever could give hits back would let himself in.
 */
export function checkAdmission(
  request: RateLimitRequest,
  caller: Caller,
  { clients, options }: DomainRules,
): Failure | undefined {
  if (clients !== undefined && !isAmong(caller, clients)) return notAClient;
  const isRefused = options.refunds === false && request.descriptors.some(isRefund);
  return isRefused ? noRefunds : undefined;
}

function isRefund({ isNegativeHits }: Descriptor): boolean {
  return isNegativeHits;
}
