import type { Code, Decision, DescriptorStatus, Header } from '../../domain/decision.ts';
import { maxUint32, type RateLimit } from '../../domain/limit.ts';
import type { Unit } from '../../domain/unit.ts';
import {
  RateLimitResponse_Code,
  RateLimitResponse_RateLimit_Unit as UnitNumber,
} from '../../gen/envoy/service/ratelimit/v3/rls.ts';
import { Struct } from '../../gen/google/protobuf/struct.ts';
import type { OctetWriter } from '../../transport/octet-writer.ts';
import { responseHeadersOf } from '../safe-headers.ts';
import { beginField, endField, writeBytes, writeNumber, writeText } from './wire-writer.ts';

const codeNumber: Readonly<Record<Code, RateLimitResponse_Code>> = {
  OK: RateLimitResponse_Code.OK,
  OVER_LIMIT: RateLimitResponse_Code.OVER_LIMIT,
};

const unitNumber: Readonly<Record<Unit, UnitNumber>> = UnitNumber;

/** Fields of the messages as `number << 3 | wire type`. */
const responseField = {
  overallCode: 0x08,
  statuses: 0x12,
  responseHeadersToAdd: 0x1a,
  rawBody: 0x2a,
  dynamicMetadata: 0x32,
} as const;
const statusField = {
  code: 0x08,
  currentLimit: 0x12,
  limitRemaining: 0x18,
  durationUntilReset: 0x22,
} as const;
const limitField = { requestsPerUnit: 0x08, unit: 0x10, name: 0x1a } as const;
const headerField = { key: 0x0a, value: 0x12 } as const;
const durationField = { seconds: 0x08 } as const;

/**
 * Encodes a decision as an `envoy.service.ratelimit.v3.RateLimitResponse`. `overall_code` is always there, as Envoy takes an
 * absent one for OK only in release builds. Numbers saturate: what does not fit becomes the nearest that does.
 */
export function writeRateLimitResponse(decision: Decision, out: OctetWriter): void {
  writeNumber(out, responseField.overallCode, codeNumber[decision.overallCode]);
  for (const status of decision.statuses) writeStatus(out, status);
  for (const header of responseHeadersOf(decision)) writeHeader(out, header);
  const { denialBody, dynamicMetadata } = decision;
  if (denialBody !== undefined) writeText(out, responseField.rawBody, denialBody.text);
  if (dynamicMetadata !== undefined) {
    writeBytes(out, responseField.dynamicMetadata, Struct.encode(Struct.wrap(dynamicMetadata)).finish());
  }
}

function writeStatus(out: OctetWriter, status: DescriptorStatus): void {
  const { currentLimit } = status;
  const start = beginField(out, responseField.statuses);
  writeNumber(out, statusField.code, codeNumber[status.code]);
  if (currentLimit !== undefined) writeLimit(out, currentLimit);
  writeNumber(out, statusField.limitRemaining, uint32(status.limitRemaining));
  if (currentLimit !== undefined) {
    const duration = beginField(out, statusField.durationUntilReset);
    writeNumber(out, durationField.seconds, Math.max(0, Math.ceil(status.secondsUntilReset)));
    endField(out, duration);
  }
  endField(out, start);
}

function writeLimit(out: OctetWriter, { requestsPerUnit, unit, name }: RateLimit): void {
  const start = beginField(out, statusField.currentLimit);
  writeNumber(out, limitField.requestsPerUnit, uint32(requestsPerUnit));
  writeNumber(out, limitField.unit, unit === undefined ? UnitNumber.UNKNOWN : unitNumber[unit]);
  writeText(out, limitField.name, name);
  endField(out, start);
}

function writeHeader(out: OctetWriter, { name, value }: Header): void {
  const start = beginField(out, responseField.responseHeadersToAdd);
  writeText(out, headerField.key, name);
  writeText(out, headerField.value, value);
  endField(out, start);
}

function uint32(value: number): number {
  return Math.min(Math.max(Math.trunc(value), 0), maxUint32);
}
