import { expect, it } from 'vitest';
import { limitCases, uncountedLimitCases } from '../case/limits.case.ts';
import type { FixtureOptions } from '../support/limiter-fixture.ts';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

const startWith = (options: Partial<FixtureOptions>) => async (yaml: string) => {
  const { decide } = limiterFixture({ yaml, ...options });
  return (texts: readonly string[], parts = {}) => decide(...texts.map((text) => descriptor(text, parts)));
};
limitCases('memory', startWith({}));
limitCases('memory with the deny cache', startWith({ denyCache: { maxBytes: 100_000, lookAgainMs: 0 } }));
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
  const { codes, decide } = limiterFixture({ yaml });
  await codes(2, 'k=v');
  expect(printStatuses(await decide('k=v'))).toEqual(['OVER 0/2 3570s']);
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
