import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Decision, DescriptorStatus } from '../../src/domain/decision.ts';
import { unitOfSeconds, unitSeconds } from '../../src/domain/unit.ts';
import {
  RateLimitResponse_Code as Code,
  RateLimitResponse,
  RateLimitResponse_RateLimit_Unit as UnitNumber,
} from '../../src/gen/envoy/service/ratelimit/v3/rls.ts';
import { writeRateLimitResponse } from '../../src/server/grpc/rls-response-writer.ts';
import { OctetWriter } from '../../src/transport/octet-writer.ts';

const uint32 = fc.oneof(fc.nat(200), fc.integer({ min: 0, max: 4_294_967_295 }));
/** Around lengths whose prefix grows by an octet, too. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.integer({ min: 110, max: 140 }).map((length) => 'n'.repeat(length)),
  fc.integer({ min: 16_350, max: 16_400 }).map((length) => 'é'.repeat(length)),
);

const limit = fc
  .record({
    requestsPerUnit: uint32,
    windowSeconds: fc.constantFrom(...Object.values(unitSeconds), 10),
    name: text,
  })
  .map((parts) => ({ ...parts, unit: unitOfSeconds(parts.windowSeconds) }));

const status: fc.Arbitrary<DescriptorStatus> = fc.record({
  code: fc.constantFrom('OK', 'OVER_LIMIT'),
  currentLimit: fc.option(limit, { nil: undefined }),
  limitRemaining: uint32,
  secondsUntilReset: fc.integer({ min: 0, max: 31_536_000 }),
});

const decision: fc.Arbitrary<Decision> = fc.record({
  kind: fc.constant('decision' as const),
  overallCode: fc.constantFrom('OK', 'OVER_LIMIT'),
  statuses: fc.array(status, { maxLength: 5 }),
  described: fc.constant(undefined),
  furtherHeaders: fc.constant([]),
  responseHeaders: fc.array(
    fc.record({ name: fc.stringMatching(/^[a-z-]{1,30}$/), value: fc.stringMatching(/^[ -~]{0,30}$/) }),
    { maxLength: 3 },
  ),
  dynamicMetadata: fc.option(
    fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.boolean(), text), { maxKeys: 3 }),
    {
      nil: undefined,
    },
  ),
  denialBody: fc.option(fc.record({ contentType: fc.constant('text/html'), text }), { nil: undefined }),
});

/** The message that the generated encoder is to write. */
function asMessage(one: Decision): RateLimitResponse {
  const { denialBody } = one;
  const headers = denialBody
    ? [...one.responseHeaders, { name: 'content-type', value: denialBody.contentType }]
    : one.responseHeaders;
  return {
    overallCode: Code[one.overallCode],
    statuses: one.statuses.map(({ code, currentLimit, limitRemaining, secondsUntilReset }) => ({
      code: Code[code],
      currentLimit: currentLimit && {
        requestsPerUnit: currentLimit.requestsPerUnit,
        unit: UnitNumber[currentLimit.unit ?? 'UNKNOWN'],
        name: currentLimit.name,
      },
      limitRemaining,
      durationUntilReset: currentLimit && { seconds: BigInt(secondsUntilReset), nanos: 0 },
      quota: undefined,
    })),
    responseHeadersToAdd: headers.map(({ name, value }) => ({
      key: name,
      value,
      rawValue: new Uint8Array(),
    })),
    requestHeadersToAdd: [],
    rawBody: Buffer.from(denialBody?.text ?? ''),
    dynamicMetadata: one.dynamicMetadata,
    quota: undefined,
  };
}

it('an answer is written octet by octet as ts-proto writes it, wherever it begins', () => {
  fc.assert(
    fc.property(decision, fc.nat(100), (one, before) => {
      const out = new OctetWriter(0);
      out.bytes(Buffer.alloc(before));
      writeRateLimitResponse(one, out);
      const written = out.take().subarray(before);
      expect(written.equals(RateLimitResponse.encode(asMessage(one)).finish())).toBe(true);
    }),
    { numRuns: 500 },
  );
});
