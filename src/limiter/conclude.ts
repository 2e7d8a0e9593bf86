import type { Decision } from '../domain/decision.ts';
import type { RateLimitRequest } from '../domain/descriptor.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import { type HeaderNames, limitHeaders } from '../domain/limit-headers.ts';
import type { DescriptorOutcome } from './decision-event.ts';
import { type DenialBodyFormat, denialBody } from './denial-body.ts';
import { findDescribed } from './described.ts';
import { dynamicMetadata } from './dynamic-metadata.ts';
import { type FurtherHeadersOptions, furtherHeaders } from './further-headers.ts';
import { findDenying } from './judge.ts';

export interface ConcludeOptions extends FurtherHeadersOptions {
  /** SHADOW_MODE: nothing is denied. */
  readonly shadowMode: boolean;
  /** Headers that describe the limit; undefined for none. */
  readonly responseHeaders: HeaderNames | undefined;
  /** RESPONSE_DYNAMIC_METADATA. */
  readonly dynamicMetadata: boolean;
  /** What a denied client reads; undefined for nothing. */
  readonly denialBody: DenialBodyFormat | undefined;
}

export interface Conclusion {
  readonly decision: Decision;
  /** Global shadow mode turned OVER_LIMIT into OK. */
  readonly shadowed: boolean;
}

/**
 * The answer as a whole, from what became of each descriptor.
 * @param policy what decided instead of counters that could not be reached
 */
export function conclude(
  request: RateLimitRequest,
  outcomes: readonly DescriptorOutcome[],
  policy: FailurePolicy | undefined,
  options: ConcludeOptions,
): Conclusion {
  const denying = findDenying(outcomes);
  const isDenied = denying.length > 0 && !options.shadowMode;
  const overallCode = isDenied ? 'OVER_LIMIT' : 'OK';
  const body = isDenied ? options.denialBody : undefined;
  const described = findDescribed(outcomes, denying);
  const further = furtherHeaders(outcomes, options);
  const decision: Decision = {
    kind: 'decision',
    overallCode,
    statuses: outcomes.map(({ status }) => status),
    described: described?.status,
    responseHeaders:
      options.responseHeaders === undefined || described === undefined
        ? further
        : [...limitHeaders(described.status, overallCode, options.responseHeaders), ...further],
    furtherHeaders: further,
    dynamicMetadata: options.dynamicMetadata ? dynamicMetadata(request, outcomes, policy) : undefined,
    denialBody: body === undefined || described === undefined ? undefined : denialBody(described, body),
  };
  return { decision, shadowed: denying.length > 0 && options.shadowMode };
}
