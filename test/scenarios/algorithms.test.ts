import { describe, expect, it } from 'vitest';
import { printRlconfig } from '../../src/rules/rlconfig.ts';
import { limiterFixture, printStatuses, rulesOf } from '../support/limiter-fixture.ts';

const yaml = `
domain: shop
descriptors:
  - {key: fixed, rate_limit: {unit: minute, requests_per_unit: 10}}
  - {key: sliding, rate_limit: {unit: minute, requests_per_unit: 10, algorithm: sliding_window}}
  - {key: bucket, rate_limit: {unit: minute, requests_per_unit: 10, algorithm: token_bucket}}
  - {key: burst, rate_limit: {unit: minute, requests_per_unit: 10, burst: 3, algorithm: token_bucket}}
`;

const okIn = (codes: string) => codes.split(' ').filter((code) => code === 'OK').length;

describe('N11: 10 hits just before the edge of a minute, and 10 just after it', () => {
  it.each([
    ['fixed', [10, 10]],
    ['sliding', [10, 0]],
    ['bucket', [10, 0]],
  ])('%s lets %j pass', async (key, passed) => {
    const { clock, codes } = limiterFixture({ yaml, time: '2026-01-01T00:00:59.900Z', countDenied: false });
    const before = okIn(await codes(10, `${key}=k`));
    clock.advance(200);
    expect([before, okIn(await codes(10, `${key}=k`))]).toEqual(passed);
  });

  it.each([
    ['fixed', 'OK 9/10 1s', 'OVER 0/10 60s'],
    // What is used now weighs until the end of the next minute; half of 10 is 5, so the next hit passes after 6 s.
    ['sliding', 'OK 9/10 61s', 'OVER 0/10 6s'],
    // A token comes every 6 s.
    ['bucket', 'OK 9/10 6s', 'OVER 0/10 6s'],
  ])('%s says when it resets', async (key, first, denied) => {
    const { clock, codes, decide } = limiterFixture({
      yaml,
      time: '2026-01-01T00:00:59.900Z',
      countDenied: false,
    });
    expect(printStatuses(await decide(`${key}=k`))).toEqual([first]);
    await codes(9, `${key}=k`);
    clock.advance(100);
    if (key === 'fixed') await codes(10, `${key}=k`);
    expect(printStatuses(await decide(`${key}=k`))).toEqual([denied]);
  });
});

it('20 in 20 s against a limit of 10 per minute', async () => {
  const passed: Record<string, number> = {};
  for (const key of ['fixed', 'sliding', 'bucket']) {
    const { clock, codes } = limiterFixture({ yaml, time: '2026-01-01T00:00:50Z', countDenied: false });
    passed[key] = 0;
    for (let second = 0; second < 20; second += 1) {
      passed[key] += okIn(await codes(1, `${key}=k`));
      clock.advance(1_000);
    }
  }
  expect(passed).toEqual({ fixed: 20, sliding: 11, bucket: 13 });
});

it('a bucket with a burst of its own lets that many through at once, and then its rate', async () => {
  const { clock, codes, decide } = limiterFixture({ yaml });
  expect(await codes(4, 'burst=k')).toBe('OK OK OK OVER');
  clock.advance(6_000);
  expect(await codes(2, 'burst=k')).toBe('OK OVER');
  clock.advance(60_000);
  expect(printStatuses(await decide('burst=k'))).toEqual(['OK 2/10 6s']);
});

it('hits that are denied count in a window that slides, and take no tokens', async () => {
  const { clock, codes } = limiterFixture({ yaml });
  for (const key of ['sliding', 'bucket']) await codes(100, `${key}=k`);
  clock.advance(60_000);
  expect([okIn(await codes(10, 'sliding=k')), okIn(await codes(10, 'bucket=k'))]).toEqual([0, 10]);
});

it('a flood on what is used up does not reach the store, and passes when there is room', async () => {
  for (const [key, waitMs] of [
    ['bucket', 6_000],
    ['burst', 6_000],
  ] as const) {
    const { clock, codes, events } = limiterFixture({
      yaml,
      denyCache: { maxBytes: 100_000, lookAgainMs: 1e9 },
    });
    await codes(11, `${key}=k`);
    expect(await codes(3, `${key}=k`)).toBe('OVER OVER OVER');
    expect(events.at(-1)?.outcomes[0]?.fromDenyCache).toBe(true);
    clock.advance(waitMs - 1);
    expect(await codes(1, `${key}=k`)).toBe('OVER');
    clock.advance(1);
    expect(await codes(1, `${key}=k`)).toBe('OK');
  }
});

it('/rlconfig has a line for each limit, with what the reference does not know at its end', () => {
  const rules = rulesOf(`
domain: shop
descriptors:
  - {key: plain, rate_limit: {unit: minute, requests_per_unit: 1}}
  - {key: list, rate_limits: [4/second, 20/10s]}
  - {key: own, rate_limits: [
      {unit: day, requests_per_unit: 1, algorithm: sliding_window, warn_at: [0.9, 0.5]},
      {unit: day, requests_per_unit: 1, algorithm: token_bucket, burst: 7},
      {unit: day, requests_per_unit: 1, align: calendar}]}
`);
  const flags = 'shadow_mode: false, quota_mode: false';
  expect(printRlconfig(rules).trimEnd().split('\n')).toEqual([
    `shop.plain: unit=MINUTE requests_per_unit=1, ${flags}`,
    `shop.list: unit=SECOND requests_per_unit=4, ${flags}`,
    `shop.list: unit=10s requests_per_unit=20, ${flags}`,
    `shop.own: unit=DAY requests_per_unit=1, ${flags}, algorithm: sliding_window, warn_at: 0.5 0.9`,
    `shop.own: unit=DAY requests_per_unit=1, ${flags}, algorithm: token_bucket, burst: 7`,
    `shop.own: unit=DAY requests_per_unit=1, ${flags}, align: calendar, timezone: UTC`,
  ]);
});
