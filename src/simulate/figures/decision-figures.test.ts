import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../../test/support/limiter-fixture.ts';
import { type DescriptorParts, descriptor, request } from '../../../test/support/requests.ts';
import { createSimulation } from '../simulation.ts';
import { createVirtualClock } from '../virtual-clock.ts';

const yaml = `
domain: shop
descriptors:
  - { key: user, rate_limit: { unit: minute, requests_per_unit: 2 } }
  - { key: vip, rate_limit: { unlimited: true } }
  - { key: soft, shadow_mode: true, rate_limit: { unit: minute, requests_per_unit: 1 } }
  - { key: quota, quota_mode: true, rate_limit: { unit: minute, requests_per_unit: 1 } }
  - { key: spare, quota_mode: true, rate_limit: { unit: minute, requests_per_unit: 100 } }
  - { key: mild, rate_limit: { unit: minute, requests_per_unit: 9, name: mild } }
  - { key: hard, rate_limit: { unit: minute, requests_per_unit: 9, replaces: [{ name: mild }] } }
  - { key: never, rate_limit: { unit: minute, requests_per_unit: 0 } }
  - { key: paid, rate_limit: { unit: minute, requests_per_unit: 10 } }
  - { key: large, rate_limit: { unit: hour, requests_per_unit: 10, algorithm: token_bucket, burst: 20 } }
  - { key: small, rate_limit: { unit: hour, requests_per_unit: 10, algorithm: token_bucket, burst: 4 } }
  - key: both
    rate_limits:
      - { unit: minute, requests_per_unit: 8 }
      - { unit: hour, requests_per_unit: 1000 }
  - key: wide
    rate_limits:
      - { unit: minute, requests_per_unit: 4 }
      - { unit: hour, requests_per_unit: 10 }
`;

/** A simulation of these rules, and requests in the notation of the cases: their descriptors in one list each. */
function simulated() {
  const clock = createVirtualClock();
  const rules = rulesOf(yaml);
  const bounds = { maxDescriptors: 4, maxEntries: 4 };
  const options = { countDenied: true, quotaMode: false, nearLimitRatio: 0.8, bounds, maxCounters: 1_000 };
  const { figures, decide } = createSimulation(rules, clock, options);
  return {
    clock,
    figures,
    async ask(texts: readonly string[], parts: DescriptorParts = {}, domain = 'shop') {
      await decide(
        request(
          domain,
          texts.map((text) => descriptor(text, parts)),
        ),
      );
    },
    ofKey: (key: string) => figures.ofRule(rules.rules.find(({ path }) => path === `shop.${key}`)?.id ?? -1),
  };
}

describe('DecisionFigures', () => {
  it('tells descriptors by where their limit came from', async () => {
    const { figures, ask } = simulated();
    await ask(['user=ann', 'vip=x', 'other=y']);
    await ask(['mild=x', 'hard=x']);
    await ask(['user=ann'], {}, 'shpo');
    await ask(['user=ann'], { limit: [5, 'HOUR'] });
    expect(figures.sources).toEqual({
      rule: 2,
      unlimited: 1,
      exempt: 0,
      unmatched: 2,
      replaced: 1,
      override: 1,
    });
    expect(figures.unknownDomain).toBe(1);
    expect(figures).toMatchObject({ allowed: 4, denied: 0, failed: 0 });
  });

  it('counts requests that have no decision by their code', async () => {
    const { figures, ask } = simulated();
    await ask([]);
    await ask(['a', 'b', 'c', 'd', 'e']);
    expect(figures).toMatchObject({ allowed: 0, denied: 0, failed: 2 });
    expect([...figures.failures]).toEqual([['INVALID_ARGUMENT', 2]]);
  });

  it('counts descriptors as denied that were over in a request that was denied, with who they were', async () => {
    const { figures, ask, ofKey } = simulated();
    for (const user of ['ann', 'ann', 'ann', 'bob', 'ann']) await ask([`user=${user}`, 'paid=p']);
    expect(ofKey('user')).toMatchObject({ allowed: 3, denied: 2, hits: 5, overLimitHits: 2, fullest: 1 });
    expect(ofKey('paid')).toMatchObject({ allowed: 5, denied: 0, fullest: 0.5 });
    expect(figures.mostDenied.top(5)).toEqual([
      { about: { rule: 'shop.user', descriptor: 'user=ann' }, count: 2 },
    ]);
  });

  it('counts what is over and passes among what is allowed: shadow rules, and quotas while another is left', async () => {
    const { figures, ask, ofKey } = simulated();
    for (let times = 0; times < 3; times++) await ask(['soft=s', 'quota=q', 'spare=q']);
    expect(figures).toMatchObject({ allowed: 3, denied: 0 });
    expect(ofKey('soft')).toMatchObject({ allowed: 3, denied: 0, overPassed: 2 });
    expect(ofKey('quota')).toMatchObject({ allowed: 3, denied: 0, overPassed: 2 });
    expect(figures.mostDenied.top(5)).toEqual([]);
    await ask(['quota=q']);
    expect(ofKey('quota')).toMatchObject({ allowed: 3, denied: 1, overPassed: 2 });
  });

  it('counts no hits that are given back', async () => {
    const { ask, ofKey } = simulated();
    await ask(['paid=p'], { hits: 9 });
    await ask(['paid=p'], { hits: 5, refund: true });
    expect(ofKey('paid')).toMatchObject({ allowed: 2, hits: 9, nearLimitHits: 1, fullest: 0.9 });
    expect(ofKey('paid')?.busiest.peak).toEqual({ atMs: 0, count: 9 });
  });

  it.each([
    ['large', 5, 0.25],
    ['small', 1, 0.25],
    ['both', 2, 0.25],
  ])('takes for full what may be used at once: of %s, %i hits', async (key, hits, fullest) => {
    const { ask, ofKey } = simulated();
    await ask([`${key}=x`], { hits });
    expect(ofKey(key)?.fullest).toBe(fullest);
  });

  it('looks at each of several limits, also at one that does not bind', async () => {
    const { clock, ask, ofKey } = simulated();
    for (const timeMs of [0, 60_000]) {
      clock.advanceTo(timeMs);
      await ask(['wide=x'], { hits: 3 });
    }
    // Of the minute 1 of 4 is left, which binds; of the hour 4 of 10.
    expect(ofKey('wide')?.fullest).toBe(0.75);
    clock.advanceTo(120_000);
    await ask(['wide=x'], { hits: 2 });
    // Of both 2 are left: that is half of the minute's, and a fifth of the hour's.
    expect(ofKey('wide')?.fullest).toBe(0.8);
  });

  it('takes a limit of 0 for full', async () => {
    const { ask, ofKey } = simulated();
    await ask(['never=x'], { hits: 0 });
    expect(ofKey('never')).toMatchObject({ allowed: 1, denied: 0, fullest: 1 });
  });

  it('has limits of requests apart, and no figures of rules that were not met', async () => {
    const { figures, ask, ofKey } = simulated();
    expect(figures.overrides).toBeUndefined();
    await ask(['user=ann'], { limit: [0, 'HOUR'] });
    expect(figures.overrides).toMatchObject({ allowed: 0, denied: 1 });
    expect(ofKey('user')).toBeUndefined();
    expect(figures.mostDenied.top(1)).toEqual([
      { about: { rule: undefined, descriptor: 'user=ann' }, count: 1 },
    ]);
  });

  it('cuts what is long, and escapes what a terminal would act on', async () => {
    const { figures, ask } = simulated();
    const value = `\x1b[2J${'x'.repeat(1_000)}`;
    for (let times = 0; times < 3; times++) await ask([`user=${value}`]);
    const [first] = figures.mostDenied.top(1);
    expect(first?.about.descriptor).toMatch(/^user=\\x1b\[2Jx{90,}…$/);
    expect(first?.about.descriptor.length).toBeLessThan(120);
  });

  it('keeps times: of all requests, and of each rule', async () => {
    const { clock, figures, ask, ofKey } = simulated();
    for (const [timeMs, user] of [
      [5_000, 'ann'],
      [7_000, 'ann'],
      [7_500, 'ann'],
      [8_000, 'vip'],
    ] as const) {
      clock.advanceTo(timeMs);
      await ask([`user=${user}`]);
    }
    expect(figures.timeline.span).toEqual({ startMs: 5_000, bucketSeconds: 1, buckets: 4 });
    expect([...figures.allowedOverTime.subarray(0, 4)]).toEqual([1, 0, 1, 1]);
    expect([...figures.deniedOverTime.subarray(0, 4)]).toEqual([0, 0, 1, 0]);
    expect([...(ofKey('user')?.deniedOverTime.subarray(0, 4) ?? [])]).toEqual([0, 0, 1, 0]);
    expect(figures.busiest.peak).toEqual({ atMs: 7_000, count: 2 });
  });
});
