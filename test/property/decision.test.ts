import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/domain/caller.ts';
import type { Descriptor, RateLimitRequest } from '../../src/domain/descriptor.ts';
import type { Octets } from '../../src/domain/octets.ts';
import { units } from '../../src/domain/unit.ts';
import { createLimiter } from '../../src/limiter/limiter.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { defaultLimiterOptions, rulesOf } from '../support/limiter-fixture.ts';

const yaml = `
domain: d
descriptors:
  - {key: a, rate_limit: {unit: hour, requests_per_unit: 5}}
  - {key: b, value: "x*", share_threshold: true, rate_limit: {unit: day, requests_per_unit: 3}}
  - {key: s, shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 2}}
  - {key: q, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 2}}
  - {key: u, rate_limit: {unlimited: true}}
`;

function limiterOf(countDenied: boolean) {
  const clock = fakeClock();
  const rules = rulesOf(yaml);
  const store = createMemoryStore({ clock, maxCounters: 10_000 });
  return createLimiter({
    ...defaultLimiterOptions,
    rules: () => rules,
    store,
    clock,
    countDenied,
    dynamicMetadata: true,
  });
}

/** What the rules above say, written down once more. */
const plainRules: Record<string, { limit: number; shadow?: true; quota?: true; shared?: true }> = {
  a: { limit: 5 },
  b: { limit: 3, shared: true },
  s: { limit: 2, shadow: true },
  q: { limit: 2, quota: true },
};

interface PlainHit {
  readonly key: string;
  readonly value: string;
  readonly hits: number;
  readonly refund: boolean;
}

/** The plain second implementation: a map of numbers, one descriptor after the other. */
function decidePlainly(counts: Map<string, number>, request: readonly PlainHit[], countDenied: boolean) {
  const before = new Map(counts);
  const after = new Map(counts);
  const statuses = request.map(({ key, value, hits, refund }) => {
    const rule = value.startsWith('x') || key !== 'b' ? plainRules[key] : undefined;
    if (rule === undefined) return { over: false, quota: false, remaining: 0, counter: undefined };
    const counter = rule.shared ? key : `${key}=${value}`;
    const used = after.get(counter) ?? 0;
    const now = refund ? Math.max(0, used - hits) : used + hits;
    if (hits > 0 && !(refund && used === 0)) after.set(counter, now);
    const isOver = !refund && now > rule.limit;
    const over = isOver && rule.shadow === undefined;
    const remaining = isOver ? 0 : Math.max(0, rule.limit - now);
    return { over, isOver, quota: rule.quota === true, remaining, counter, limit: rule.limit };
  });
  const quotas = statuses.filter(({ quota }) => quota);
  const denied =
    statuses.some(({ over, quota }) => over && !quota) ||
    (quotas.length > 0 && quotas.every(({ over }) => over));
  if (!denied || countDenied) {
    for (const [counter, count] of after) counts.set(counter, count);
    return { denied, statuses };
  }
  const without = statuses.map((status) =>
    status.counter === undefined || status.isOver
      ? status
      : { ...status, remaining: Math.max(0, (status.limit ?? 0) - (before.get(status.counter) ?? 0)) },
  );
  return { denied, statuses: without };
}

const plainHit: fc.Arbitrary<PlainHit> = fc.record({
  key: fc.constantFrom('a', 'b', 's', 'q', 'none'),
  value: fc.constantFrom('x1', 'x2', 'y'),
  hits: fc.constantFrom(0, 1, 1, 1, 2, 4, 9),
  refund: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

function requestOf(hits: readonly PlainHit[]): RateLimitRequest {
  const descriptors = hits.map(({ key, value, hits, refund }) => ({
    entries: [{ key: key as Octets, value: value as Octets }],
    limit: undefined,
    hitsAddend: hits,
    isNegativeHits: refund,
  }));
  return { domain: 'd' as Octets, descriptors, hitsAddend: 0 };
}

describe.each([true, false])('with COUNT_DENIED=%s', (countDenied) => {
  it('a history of requests is decided as one would by hand', async () => {
    const history = fc.array(fc.array(plainHit, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(history, async (requests) => {
        const limiter = limiterOf(countDenied);
        const counts = new Map<string, number>();
        for (const hits of requests) {
          const expected = decidePlainly(counts, hits, countDenied);
          const answer = await limiter.decide(requestOf(hits), undefined, anonymous);
          if (answer.kind === 'failure') throw new Error(answer.message);
          expect(answer.overallCode).toBe(expected.denied ? 'OVER_LIMIT' : 'OK');
          expect(
            answer.statuses.map(({ code, limitRemaining }) => ({ over: code !== 'OK', limitRemaining })),
          ).toEqual(expected.statuses.map(({ over, remaining }) => ({ over, limitRemaining: remaining })));
        }
      }),
      { numRuns: 1_500 },
    );
  });
});

const octets = fc
  .uint8Array({ maxLength: 300 })
  .map((bytes) => Buffer.from(bytes).toString('latin1') as Octets);
const text = fc.oneof(octets, fc.constantFrom('a', 'b', 's', 'q', 'u', 'd', 'x1') as fc.Arbitrary<Octets>);
const addend = fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(Number));
const anyDescriptor: fc.Arbitrary<Descriptor> = fc.record({
  entries: fc.array(fc.record({ key: text, value: text }), { maxLength: 4 }),
  limit: fc.option(
    fc.record({
      requestsPerUnit: fc.nat({ max: 2 ** 32 - 1 }),
      unit: fc.option(fc.constantFrom(...units), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  hitsAddend: fc.option(addend, { nil: undefined }),
  isNegativeHits: fc.boolean(),
});
const anyRequest: fc.Arbitrary<RateLimitRequest> = fc.record({
  domain: fc.oneof(fc.constant('d' as Octets), text),
  descriptors: fc.array(anyDescriptor, { maxLength: 6 }),
  hitsAddend: fc.nat({ max: 2 ** 32 - 1 }),
});

it('any request gets a complete answer, or a worded reason why it has none', async () => {
  const limiters = [limiterOf(true), limiterOf(false)];
  await fc.assert(
    fc.asyncProperty(anyRequest, fc.constantFrom(...limiters), async (request, limiter) => {
      const answer = await limiter.decide(request, undefined, anonymous);
      if (answer.kind === 'failure') {
        expect(answer.code).toBe('INVALID_ARGUMENT');
        expect(answer.message.length).toBeGreaterThan(10);
        return;
      }
      expect(answer.statuses).toHaveLength(request.descriptors.length);
      for (const { limitRemaining, currentLimit, secondsUntilReset, code } of answer.statuses) {
        expect(limitRemaining).toBeGreaterThanOrEqual(0);
        expect(limitRemaining).toBeLessThanOrEqual(2 ** 32 - 1);
        if (code === 'OVER_LIMIT') expect(limitRemaining).toBe(0);
        if (currentLimit === undefined) expect(secondsUntilReset).toBe(0);
        else expect(secondsUntilReset).toBeGreaterThan(0);
      }
      expect(JSON.stringify(answer.dynamicMetadata)).not.toBeUndefined();
    }),
    { numRuns: 3_000 },
  );
});
