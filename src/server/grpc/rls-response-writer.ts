import type { Code, Decision, DescriptorStatus, Header } from '../../domain/decision.ts';
import { maxUint32 } from '../../domain/limit.ts';
import type { Unit } from '../../domain/unit.ts';
import type { HeaderValue } from '../../gen/envoy/config/core/v3/base.ts';
import {
  RateLimitResponse,
  RateLimitResponse_Code,
  type RateLimitResponse_DescriptorStatus,
  RateLimitResponse_RateLimit_Unit,
} from '../../gen/envoy/service/ratelimit/v3/rls.ts';
import { responseHeadersOf } from '../safe-headers.ts';

const codeNumber: Readonly<Record<Code, RateLimitResponse_Code>> = {
  OK: RateLimitResponse_Code.OK,
  OVER_LIMIT: RateLimitResponse_Code.OVER_LIMIT,
};

const unitNumber: Readonly<Record<Unit, RateLimitResponse_RateLimit_Unit>> = RateLimitResponse_RateLimit_Unit;

const noOctets = new Uint8Array(0);

/**
 * Encodes a decision as an `envoy.service.ratelimit.v3.RateLimitResponse`. `overall_code` is always there, as Envoy takes an
 * absent one for OK only in release builds. Numbers saturate: what does not fit becomes the nearest that does.
 */
export function writeRateLimitResponse(decision: Decision): Uint8Array {
  const message: RateLimitResponse = {
    overallCode: codeNumber[decision.overallCode],
    statuses: decision.statuses.map(statusMessage),
    responseHeadersToAdd: responseHeadersOf(decision).map(headerMessage),
    requestHeadersToAdd: [],
    rawBody: decision.denialBody === undefined ? noOctets : Buffer.from(decision.denialBody.text),
    dynamicMetadata: decision.dynamicMetadata,
    quota: undefined,
  };
  return RateLimitResponse.encode(message).finish();
}

function statusMessage(status: DescriptorStatus): RateLimitResponse_DescriptorStatus {
  const { currentLimit, secondsUntilReset } = status;
  return {
    code: codeNumber[status.code],
    currentLimit: currentLimit && {
      requestsPerUnit: uint32(currentLimit.requestsPerUnit),
      unit:
        currentLimit.unit === undefined
          ? RateLimitResponse_RateLimit_Unit.UNKNOWN
          : unitNumber[currentLimit.unit],
      name: currentLimit.name,
    },
    limitRemaining: uint32(status.limitRemaining),
    durationUntilReset: currentLimit && { seconds: BigInt(Math.ceil(secondsUntilReset)), nanos: 0 },
    quota: undefined,
  };
}

function headerMessage({ name, value }: Header): HeaderValue {
  return { key: name, value, rawValue: noOctets };
}

function uint32(value: number): number {
  return Math.min(Math.max(Math.trunc(value), 0), maxUint32);
}
