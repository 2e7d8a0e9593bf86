import { expect, it } from 'vitest';
import type { Descriptor } from '../../src/domain/descriptor.ts';
import { limitCases, uncountedLimitCases } from '../case/limits.case.ts';
import type { FixtureOptions } from '../support/limiter-fixture.ts';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

const startWith = (options: Partial<FixtureOptions>) => async (yaml: string) => {
  const { decide } = limiterFixture({ yaml, ...options });
  return (asked: readonly (string | Descriptor)[], parts = {}) =>
    decide(...asked.map((one) => (typeof one === 'string' ? descriptor(one, parts) : one)));
};
limitCases('memory', startWith({}));
const denyCache = { maxBytes: 100_000, lookAgainMs: 60_000 };
limitCases('memory with the deny cache', startWith({ denyCache }));
uncountedLimitCases('memory', startWith({ countDenied: false }));

const burstAndDaily = `
domain: shop
descriptors:
  - {key: account, rate_limits: [4/second, 20/day]}
`;

it('C01: 4 in each second until 20 of the day are used', async () => {
  const { clock, codes, decide } = limiterFixture({ yaml: burstAndDaily });
  expect(await codes(6, 'account=a1')).toBe('OK OK OK OK OVER OVER');
  for (let second = 0; second < 4; second += 1) {
    clock.advance(1_000);
    expect(await codes(5, 'account=a1')).toBe('OK OK OK OK OVER');
  }
  clock.advance(1_000);
  expect(printStatuses(await decide('account=a1'))).toEqual(['OVER 0/20 86365s']);
});

it('C01: of two limits that deny the answer describes the one with the longest wait', async () => {
  const yaml = 'domain: shop\ndescriptors:\n  - {key: k, rate_limits: [2/second, 2/hour, 2/minute]}';
  const { codes, decide, decideHits } = limiterFixture({ yaml, denyCache });
  await codes(2, 'k=v');
  expect(printStatuses(await decide('k=v'))).toEqual(['OVER 0/2 3570s']);
  expect(printStatuses(await decide('k=v'))).toEqual(['OVER 0/2 3570s']);
  // There is nothing left, and nothing over: a look is no hit.
  const look = { ...descriptor('k=v'), hitsAddend: 0 };
  expect(printStatuses(await decideHits(0, look))).toEqual(['OK 0/2 1s']);
});

it('a flood on a list that is used up does not reach the store, and passes when its window ends', async () => {
  const { clock, codes, events } = limiterFixture({
    yaml: burstAndDaily,
    denyCache: { maxBytes: 100_000, lookAgainMs: 500 },
  });
  await codes(5, 'account=a1');
  expect(await codes(3, 'account=a1')).toBe('OVER OVER OVER');
  expect(events.slice(-3).map(({ outcomes }) => outcomes[0]?.fromDenyCache)).toEqual([true, true, true]);
  clock.advance(1_000);
  expect(await codes(1, 'account=a1')).toBe('OK');
});

it('a list whose store is away is decided by the policy of its rule, and counted together locally', async () => {
  const away = {
    hit: () => Promise.resolve({ states: [], counted: true }),
    hitUnlessDenied: (hits: readonly unknown[]) =>
      Promise.resolve({
        states: hits.map(() => ({ kind: 'connection', message: 'away', node: 'a' }) as const),
        counted: true,
      }),
    ready: Promise.resolve(),
    isConnected: () => false,
    close: () => Promise.resolve(),
  };
  const options = { yaml: burstAndDaily, store: away, failurePolicy: 'local', localShare: 0.5 } as const;
  const { codes } = limiterFixture(options);
  expect(await codes(3, 'account=a1')).toBe('OK OK OVER');
});

it('where nothing is denied all of a list counts: under global shadow mode, and beside a quota that is left', async () => {
  const left = async (options: Partial<FixtureOptions>, key: string, others: readonly string[] = []) => {
    const yaml = `
domain: shop
descriptors:
  - {key: plain, rate_limits: [2/second, 100/day]}
  - {key: quota, quota_mode: true, rate_limits: [2/second, 100/day]}
  - {key: other, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 1000}}
`;
    const { clock, codes, decide } = limiterFixture({ yaml, limitFields: true, ...options });
    expect(await codes(10, `${key}=k`, ...others)).toBe(Array(10).fill('OK').join(' '));
    clock.advance(1_000);
    const { responseHeaders } = await decide(`${key}=k`, ...others);
    return /"100\/day";r=(\d+)/.exec(responseHeaders.map(({ value }) => value).join(' '))?.[1];
  };
  expect(await left({ shadowMode: true }, 'plain')).toBe('89');
  expect(await left({}, 'quota', ['other=o'])).toBe('89');
  expect(await left({ countDenied: false }, 'quota', ['other=o'])).toBe('89');
});
