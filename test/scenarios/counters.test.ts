import { describe, expect, it } from 'vitest';
import { isFault } from '../../src/domain/counter-report.ts';
import { createKeyedHash } from '../../src/domain/keyed-hash.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

const yaml = `
domain: shop
exemptions: [{key: probe, values: [internal]}]
descriptors:
  - {key: account, rate_limit: {unit: minute, requests_per_unit: 10}}
  - {key: api, rate_limits: [4/second, 20/day]}
  - {key: smooth, rate_limit: {unit: minute, requests_per_unit: 10, algorithm: sliding_window}}
  - {key: bucket, rate_limit: {unit: minute, requests_per_unit: 6, algorithm: token_bucket, burst: 10}}
  - {key: free, rate_limit: {unlimited: true}}
`;
const get = { kind: 'get' } as const;
const reset = { kind: 'reset' } as const;
const grant = (hits: number) => ({ kind: 'grant', hits }) as const;

function fixture(options: Partial<Parameters<typeof limiterFixture>[0]> = {}) {
  const made = limiterFixture({ yaml, time: '2026-01-01T00:00:15Z', ...options });
  /** What is left on each counter, as `limit: before > used, remaining, seconds`. */
  const levels = async (...args: Parameters<typeof made.administer>) =>
    (await made.administer(...args)).counters.map(({ limit, state }) => {
      if (isFault(state)) return `${limit}: ${state.fault}`;
      const { before, used, remaining, secondsUntilReset } = state;
      return `${limit}: ${before} > ${used}, ${remaining} left, ${secondsUntilReset}s`;
    });
  return { ...made, levels };
}

describe('a counter', () => {
  it('is shown as it is counted, and looking counts nothing', async () => {
    const { levels, decideHits } = fixture();
    await decideHits(3, 'account=a');
    for (let look = 0; look < 2; look += 1) {
      expect(await levels('account=a', get)).toEqual(['10 per minute: 3 > 3, 7 left, 45s']);
    }
    expect(await levels('account=b', get)).toEqual(['10 per minute: 0 > 0, 10 left, 45s']);
  });

  it('is used up, granted more, used up again, and reset', async () => {
    const { levels, codes, decide } = fixture({ denyCache: { maxBytes: 10_000, lookAgainMs: 500 } });
    await codes(10, 'account=a');
    expect(await codes(2, 'account=a')).toBe('OVER OVER');
    expect(await levels('account=a', grant(14))).toEqual(['10 per minute: 11 > -4, 14 left, 45s']);
    expect(printStatuses(await decide('account=a'))).toEqual(['OK 13/10 45s']);
    expect(await codes(14, 'account=a')).toMatch(/^(OK ){13}OVER$/);
    expect(await levels('account=a', reset)).toEqual(['10 per minute: 11 > 0, 10 left, 45s']);
    expect(printStatuses(await decide('account=a'))).toEqual(['OK 9/10 45s']);
  });

  it('goes back to the limit when the window ends', async () => {
    const { levels, clock } = fixture();
    await levels('account=a', grant(20));
    clock.advance(45_000);
    expect(await levels('account=a', get)).toEqual(['10 per minute: 0 > 0, 10 left, 60s']);
  });

  it('shows all of a limit that is larger than can be told', async () => {
    const { levels } = fixture();
    await levels('account=a', grant(2 ** 32 - 1));
    expect(await levels('account=a', get)).toEqual([
      '10 per minute: -4294967295 > -4294967295, 4294967295 left, 45s',
    ]);
  });
});

describe('which counters', () => {
  it('are those of all limits of the rule', async () => {
    const { levels, decideHits } = fixture();
    await decideHits(3, 'api=k');
    expect(await levels('api=k', get)).toEqual([
      '4 per second: 3 > 3, 1 left, 1s',
      '20 per day: 3 > 3, 17 left, 86385s',
    ]);
    expect(await levels('api=k', reset)).toEqual([
      '4 per second: 3 > 0, 4 left, 1s',
      '20 per day: 3 > 0, 20 left, 86385s',
    ]);
  });

  it('are told with how they count', async () => {
    const { levels } = fixture();
    expect(await levels('smooth=s', grant(5))).toEqual([
      '10 per minute (sliding window): 0 > -5, 15 left, 45s',
    ]);
    expect(await levels('bucket=b', get)).toEqual(['6 per minute (token bucket of 10): 0 > 0, 10 left, 0s']);
  });

  it('of a bucket of tokens get back no more than it holds', async () => {
    const { levels, decideHits } = fixture();
    await decideHits(8, 'bucket=b');
    expect(await levels('bucket=b', grant(3))).toEqual([
      '6 per minute (token bucket of 10): 8 > 5, 5 left, 50s',
    ]);
    expect(await levels('bucket=b', grant(100))).toEqual([
      '6 per minute (token bucket of 10): 5 > 0, 10 left, 0s',
    ]);
  });

  it('are that of a limit which requests bring', async () => {
    const { levels, decide } = fixture();
    const own = descriptor('account=a', { limit: [2, 'HOUR'] });
    await decide(own);
    expect(await levels(own, get)).toEqual(['2 per hour: 1 > 1, 1 left, 3585s']);
    expect(await levels('account=a', get)).toEqual(['10 per minute: 0 > 0, 10 left, 45s']);
  });

  it.each([
    ['free=x', 'unlimited', 'shop.free'],
    ['other=x', 'unmatched', undefined],
    ['probe=internal', 'exempt', undefined],
    ['account=a', 'rule', 'shop.account'],
  ])('of %s: %s', async (one, found, rule) => {
    const report = await fixture().administer(one, reset);
    expect(report).toMatchObject({ found, rule });
    expect(report.counters).toHaveLength(found === 'rule' ? 1 : 0);
  });

  it('of a domain that is not known: none', async () => {
    expect(await fixture({ domain: 'shpo' }).administer('account=a', get)).toMatchObject({
      found: 'unmatched',
      counters: [],
      entries: [{ key: 'account', value: '***' }],
    });
  });
});

it('shows no value that must not be seen', async () => {
  const hidden =
    'domain: shop\ndescriptors: [{key: user, sensitive: true, rate_limit: {unit: day, requests_per_unit: 1}}]';
  const keyedHash = createKeyedHash(Buffer.from('a key of tests, not secret'));
  const { administer, decide } = fixture({ yaml: hidden, sensitive: { everywhere: false, keyedHash } });
  await decide('user=alice');
  const report = await administer('user=alice', get);
  expect(JSON.stringify(report)).not.toContain('alice');
  expect(report).toMatchObject({
    entries: [{ key: 'user', value: keyedHash(octetsOf('alice')) }],
    counters: [{ state: { used: 1 } }],
  });
});
