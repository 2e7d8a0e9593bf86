import { describe, expect, it } from 'vitest';
import type { Decision, DescriptorStatus } from '../../domain/decision.ts';
import type { RateLimit } from '../../domain/limit.ts';
import { type Unit, unitSeconds } from '../../domain/unit.ts';
import { RateLimitResponse } from '../../gen/envoy/service/ratelimit/v3/rls.ts';
import { OctetWriter } from '../../transport/octet-writer.ts';
import { writeRateLimitResponse } from './rls-response-writer.ts';

const allowed: Decision = {
  kind: 'decision',
  overallCode: 'OK',
  statuses: [],
  described: undefined,
  responseHeaders: [],
  furtherHeaders: [],
  dynamicMetadata: undefined,
  denialBody: undefined,
};

function octetsOf(parts: Partial<Decision>): Buffer {
  const out = new OctetWriter(0);
  writeRateLimitResponse({ ...allowed, ...parts }, out);
  return out.take();
}

function write(parts: Partial<Decision>): RateLimitResponse {
  return RateLimitResponse.decode(octetsOf(parts));
}

function hex(parts: Partial<Decision>): string {
  return octetsOf(parts).toString('hex');
}

function limit(unit: Unit | undefined, requestsPerUnit = 5, name = ''): RateLimit {
  return { unit, requestsPerUnit, windowSeconds: unit === undefined ? 10 : unitSeconds[unit], name };
}

function status(parts: Partial<DescriptorStatus>): DescriptorStatus {
  return { code: 'OK', currentLimit: undefined, limitRemaining: 0, secondsUntilReset: 0, ...parts };
}

describe('a decision on the wire', () => {
  it('always has its overall code', () => {
    expect(hex({})).toBe('0801');
    expect(hex({ overallCode: 'OVER_LIMIT' })).toBe('0802');
  });

  it('has a status for each descriptor, in order; without a limit it is a code alone', () => {
    const statuses = [status({}), status({ code: 'OVER_LIMIT' }), status({})];
    expect(hex({ statuses })).toBe('0801' + '12020801' + '12020802' + '12020801');
  });

  it('is the 18 octets that are expected of one full status', () => {
    const statuses = [
      status({ currentLimit: limit('MINUTE', 100), limitRemaining: 42, secondsUntilReset: 37 }),
    ];
    expect(hex({ statuses })).toBe(
      '0801' + '120e' + '0801' + '1204' + '0864' + '1002' + '182a' + '2202' + '0825',
    );
  });

  it.each([
    ['SECOND', 1],
    ['MINUTE', 2],
    ['HOUR', 3],
    ['DAY', 4],
    ['WEEK', 7],
    ['MONTH', 5],
    ['YEAR', 6],
    [undefined, 0],
  ] as const)('unit %s is number %i', (unit, number) => {
    const [first] = write({
      statuses: [status({ currentLimit: limit(unit), secondsUntilReset: 1 })],
    }).statuses;
    expect(first?.currentLimit?.unit).toBe(number);
  });

  it('a limit that denies everything is there, with its name', () => {
    const [first] = write({
      statuses: [status({ currentLimit: limit('DAY', 0, 'closed'), secondsUntilReset: 9 })],
    }).statuses;
    expect(first?.currentLimit).toEqual({ requestsPerUnit: 0, unit: 4, name: 'closed' });
    expect(first?.durationUntilReset).toEqual({ seconds: 9n, nanos: 0 });
  });

  it.each([
    [4_294_967_295, 4_294_967_295],
    [4_294_967_296, 4_294_967_295],
    [-1, 0],
    [0.9, 0],
  ])('a remaining number of %d is written as %d', (limitRemaining, written) => {
    expect(write({ statuses: [status({ limitRemaining })] }).statuses[0]?.limitRemaining).toBe(written);
  });

  it('a reset is whole seconds, rounded up', () => {
    const statuses = [status({ currentLimit: limit('HOUR'), secondsUntilReset: 1.2 })];
    expect(write({ statuses }).statuses[0]?.durationUntilReset).toEqual({ seconds: 2n, nanos: 0 });
  });

  it('headers go to the response, in order, as value and not as raw_value', () => {
    const responseHeaders = [
      { name: 'RateLimit-Limit', value: '5' },
      { name: 'Retry-After', value: '37' },
    ];
    const message = write({ responseHeaders });
    expect(message.responseHeadersToAdd.map(({ key, value }) => [key, value])).toEqual([
      ['RateLimit-Limit', '5'],
      ['Retry-After', '37'],
    ]);
    expect(message.responseHeadersToAdd.every(({ rawValue }) => rawValue.length === 0)).toBe(true);
    expect(message.requestHeadersToAdd).toEqual([]);
  });

  it('a denial body is raw_body, with its content type as a header', () => {
    const message = write({
      denialBody: { contentType: 'application/json', text: '{"wait":"37 s – sorry"}' },
    });
    expect(Buffer.from(message.rawBody).toString()).toBe('{"wait":"37 s – sorry"}');
    expect(message.responseHeadersToAdd).toMatchObject([{ key: 'content-type', value: 'application/json' }]);
  });

  it('dynamic metadata is a Struct of any JSON', () => {
    const dynamicMetadata = {
      text: 'é',
      number: 1.5,
      yes: true,
      none: null,
      list: [1, ['a'], {}],
      map: { a: { b: '' } },
    };
    expect(write({ dynamicMetadata }).dynamicMetadata).toEqual(dynamicMetadata);
  });

  it('numbers of metadata that JSON lacks are there as they are', () => {
    const dynamicMetadata = { most: Number.POSITIVE_INFINITY, none: Number.NaN };
    expect(write({ dynamicMetadata }).dynamicMetadata).toEqual(dynamicMetadata);
  });
});
