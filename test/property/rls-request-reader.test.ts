import { fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/domain/decision.ts';
import type { RateLimitRequest as Request } from '../../src/domain/descriptor.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import type { RequestBounds } from '../../src/domain/request-bounds.ts';
import { RateLimitRequest } from '../../src/gen/envoy/service/ratelimit/v3/rls.ts';
import { readRateLimitRequest } from '../../src/server/grpc/rls-request-reader.ts';
import { loadProtoRegistry, messageNamed } from '../../src/server/proto-registry.ts';

const units = [undefined, 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'MONTH', 'YEAR', 'WEEK'];

/** What the reader must give for a message that a generated decoder has read. */
function asRequest(message: RateLimitRequest): Request {
  return {
    domain: octetsOf(message.domain),
    descriptors: message.descriptors.map(({ entries, limit, hitsAddend, isNegativeHits }) => ({
      entries: entries.map(({ key, value }) => ({ key: octetsOf(key), value: octetsOf(value) })),
      limit: limit && {
        requestsPerUnit: limit.requestsPerUnit,
        unit: units[limit.unit] as never,
      },
      hitsAddend: hitsAddend === undefined ? undefined : Number(hitsAddend),
      isNegativeHits,
    })),
    hitsAddend: message.hitsAddend,
  };
}

const uint32 = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 4_294_967_295 }));
const text = fc.string({ unit: 'binary', maxLength: 20 });
const message: fc.Arbitrary<RateLimitRequest> = fc.record({
  domain: text,
  hitsAddend: uint32,
  descriptors: fc.array(
    fc.record({
      entries: fc.array(fc.record({ key: text, value: text }), { maxLength: 4 }),
      limit: fc.option(
        fc.record({ requestsPerUnit: uint32, unit: fc.integer({ min: -3, max: 99 }) as fc.Arbitrary<never> }),
        { nil: undefined },
      ),
      hitsAddend: fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { nil: undefined }),
      isNegativeHits: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

const encode = (value: RateLimitRequest) => Buffer.from(RateLimitRequest.encode(value).finish());

/** Within bounds that no message here reaches, unless told otherwise. */
function read(octets: Buffer, bounds: RequestBounds = { maxDescriptors: 1_000, maxEntries: 1_000 }) {
  return readRateLimitRequest(octets, bounds);
}

function isFailure(result: Request | Failure): result is Failure {
  return 'kind' in result;
}

describe('the reader of RateLimitRequest', () => {
  it('reads what ts-proto writes as ts-proto reads it', () => {
    fc.assert(
      fc.property(message, (value) => {
        const octets = encode(value);
        expect(read(octets)).toEqual(asRequest(RateLimitRequest.decode(octets)));
      }),
      { numRuns: 500 },
    );
  });

  it('reads two messages in a row as one, merged as protobuf-es merges them', () => {
    const type = messageNamed(loadProtoRegistry(), 'envoy.service.ratelimit.v3.RateLimitRequest');
    fc.assert(
      fc.property(message, message, (first, second) => {
        const both = Buffer.concat([encode(first), encode(second)]);
        const merged = toBinary(type, fromBinary(type, both, { readUnknownFields: false }));
        expect(read(both)).toEqual(read(Buffer.from(merged)));
      }),
      { numRuns: 300 },
    );
  });

  it('gives no more than the bounds allow, and refuses what has more', () => {
    const bound = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(message, bound, bound, (value, maxDescriptors, maxEntries) => {
        const isWithin =
          value.descriptors.length <= maxDescriptors &&
          value.descriptors.every(({ entries }) => entries.length <= maxEntries);
        const result = read(encode(value), { maxDescriptors, maxEntries });
        expect(isFailure(result)).toBe(!isWithin);
        if (isFailure(result))
          expect(result.message).toMatch(/ has more (descriptors|entries) than the \d allowed$/);
      }),
      { numRuns: 500 },
    );
  });

  it('answers every prefix of a message, and says where a bad one ends', () => {
    fc.assert(
      fc.property(message, (value) => {
        const octets = encode(value);
        for (let length = 0; length < octets.length; length++) {
          const result = read(octets.subarray(0, length));
          if (isFailure(result)) expect(result.code).toBe('INVALID_ARGUMENT');
        }
      }),
      { numRuns: 100 },
    );
  });

  it('answers any octets with a request or a failure', () => {
    // Octets that often make sense as tags and lengths go deeper than plain random ones.
    const likely = fc.constantFrom(
      0x0a,
      0x12,
      0x18,
      0x1a,
      0x20,
      0x08,
      0x10,
      0x2b,
      0x2c,
      0x00,
      0x01,
      0x03,
      0x80,
      0xff,
    );
    const anything = fc.array(fc.oneof({ weight: 4, arbitrary: likely }, fc.integer({ min: 0, max: 255 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(anything, (octets) => {
        const result = read(Buffer.from(octets));
        if (isFailure(result)) expect(result.message).toMatch(/octet \d+ of the message/);
        else expect(result.descriptors.length).toBeLessThanOrEqual(octets.length);
      }),
      { numRuns: 20_000 },
    );
  });
});
