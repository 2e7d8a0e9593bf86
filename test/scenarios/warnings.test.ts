import { expect, it } from 'vitest';
import type { Decision } from '../../src/domain/decision.ts';
import { limiterFixture } from '../support/limiter-fixture.ts';

const yaml = `
domain: shop
descriptors:
  - {key: user, rate_limit: {unit: minute, requests_per_unit: 10, warn_at: 0.8}}
  - {key: twice, rate_limit: {unit: minute, requests_per_unit: 10, warn_at: [0.9, 0.5]}}
  - {key: all, rate_limit: {unit: minute, requests_per_unit: 2, warn_at: 1}}
  - {key: shadow, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 2, warn_at: 0.5}}
  - {key: list, rate_limits: [{unit: minute, requests_per_unit: 4, warn_at: 0.5}, 100/day]}
  - {key: bucket, rate_limit: {unit: minute, requests_per_unit: 60, burst: 4, algorithm: token_bucket, warn_at: 0.75}}
`;

const warningOf = ({ responseHeaders }: Decision) =>
  responseHeaders.find(({ name }) => name === 'X-RateLimit-Warning')?.value;

async function warnings(key: string, calls: number, options = {}): Promise<(string | undefined)[]> {
  const { decide } = limiterFixture({ yaml, ...options });
  const all = [];
  for (let call = 0; call < calls; call += 1) all.push(warningOf(await decide(`${key}=k`)));
  return all;
}

it('a client is warned from the share on, until the limit denies', async () => {
  expect(await warnings('user', 11)).toEqual([
    ...Array(7).fill(undefined),
    'at=0.8, used=8, limit=10, reset=30',
    'at=0.8, used=9, limit=10, reset=30',
    'at=0.8, used=10, limit=10, reset=30',
    undefined,
  ]);
});

it('of several shares the largest that is reached is told', async () => {
  const told = (await warnings('twice', 10)).map((text) => text?.slice(0, 'at=0.5'.length));
  expect(told).toEqual([...Array(4).fill(undefined), ...Array(4).fill('at=0.5'), 'at=0.9', 'at=0.9']);
});

it.each([
  ['all of a limit', 'all', [undefined, 'at=1, used=2, limit=2, reset=30', undefined]],
  ['a rule in shadow mode, which never shows', 'shadow', [undefined, undefined, undefined]],
  [
    'one limit of several',
    'list',
    [undefined, 'at=0.5, used=2, limit=4, reset=30', 'at=0.5, used=3, limit=4, reset=30'],
  ],
  ['a bucket, by its burst', 'bucket', [undefined, undefined, 'at=0.75, used=3, limit=4, reset=3']],
])('for %s', async (_, key, expected) => {
  expect(await warnings(key, 3)).toEqual(expected);
});

it('has the name that is set, beside the other headers', async () => {
  const names = { limit: 'L', remaining: 'R', reset: 'T' };
  const { decide } = limiterFixture({ yaml, warningHeader: 'W', responseHeaders: names, limitFields: true });
  await decide('all=k');
  const { responseHeaders } = await decide('all=k', 'list=k');
  expect(responseHeaders.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'L: 2',
    'R: 0',
    'T: 30',
    'RateLimit-Policy: "2/minute";q=2;w=60, "4/minute";q=4;w=60, "100/day";q=100;w=86400',
    'RateLimit: "2/minute";r=0;t=30, "4/minute";r=3;t=30, "100/day";r=99;t=86370',
    'W: at=1, used=2, limit=2, reset=30',
  ]);
});

it('a look and a refund warn of nothing, and neither does a request that is denied', async () => {
  const { decide, decideHits, events } = limiterFixture({ yaml, countDenied: false });
  await decideHits(9, 'user=k');
  const denied = await decide('user=k', 'all=x', 'all=x', 'all=x');
  expect(denied.overallCode).toBe('OVER_LIMIT');
  expect(warningOf(denied)).toBeUndefined();
  expect(events.at(-1)?.outcomes.every(({ warning }) => warning === undefined)).toBe(true);
});

it('of several limits the one of which most is used is told, and by policy local its share', async () => {
  const limits =
    '[{unit: hour, requests_per_unit: 10, warn_at: 0.5}, {unit: day, requests_per_unit: 15, warn_at: 0.6}]';
  const list = `domain: shop\ndescriptors:\n  - {key: k, rate_limits: ${limits}}`;
  const { decideHits } = limiterFixture({ yaml: list });
  expect(warningOf(await decideHits(9, 'k=v'))).toContain('at=0.5, used=9, limit=10');
  const away = {
    hit: (hits: readonly unknown[]) =>
      Promise.resolve({
        states: hits.map(() => ({ kind: 'connection', message: 'away', node: 'a' }) as const),
        counted: true,
      }),
    hitUnlessDenied: () => Promise.reject(new Error('not asked')),
    ready: Promise.resolve(),
    isConnected: () => false,
    close: () => Promise.resolve(),
  };
  const { decide } = limiterFixture({ yaml, store: away, failurePolicy: 'local', localShare: 0.5 });
  const told = [];
  for (let call = 0; call < 5; call += 1) told.push(warningOf(await decide('user=k'))?.slice(0, 15));
  expect(told).toEqual([undefined, undefined, undefined, 'at=0.8, used=4,', 'at=0.8, used=5,']);
});
