import { describe, expect, it } from 'vitest';
import type { CounterStore } from '../../src/store/counter-store.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { countingRules } from '../support/case-rules.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

const yaml = countingRules;
const denyCache = { maxBytes: 1_000_000, lookAgainMs: 500 };
const fixture = (options = {}) => limiterFixture({ yaml, denyCache, ...options });

describe('N06: after hits were given back the next call asks the store', () => {
  it('also when they were given back in the request that was denied', async () => {
    const { decide, decideHits } = fixture();
    await decideHits(10, 'group=g');
    await decide('group=g', descriptor('group=g', { hits: 5, refund: true }));
    expect(printStatuses(await decide('group=g'))).toEqual(['OK 3/10 30s']);
  });

  it('also when a denied hit was under way at that moment', async () => {
    const { decide, decideHits } = fixture();
    await decideHits(10, 'group=g');
    await Promise.all([decide('group=g'), decide(descriptor('group=g', { hits: 5, refund: true }))]);
    expect(printStatuses(await decide('group=g'))).toEqual(['OK 3/10 30s']);
  });

  it('when they were given back elsewhere, with the call that looks again, for each of its descriptors', async () => {
    const clock = fakeClock();
    const store = createMemoryStore({ clock, maxCounters: 100 });
    const one = fixture({ store, clock });
    const other = fixture({ store, clock });
    await one.decideHits(11, 'group=g');
    await other.decide(descriptor('group=g', { hits: 9, refund: true }));
    expect(printStatuses(await one.decide('group=g'))).toEqual(['OVER 0/10 30s']);
    clock.advance(500);
    expect(printStatuses(await one.decide('group=g', 'group=g'))).toEqual(['OK 7/10 30s', 'OK 6/10 30s']);
  });
});

it('R05: it is cleared by a reload, so that the first call after it asks the store', async () => {
  const rules = (limit: number) =>
    `domain: shop\ndescriptors: [{key: ip, rate_limit: {unit: minute, requests_per_unit: ${limit}}}]`;
  const { codes, decide, reload, events } = fixture({ yaml: rules(3) });
  expect(await codes(5, 'ip=x')).toBe('OK OK OK OVER OVER');
  expect(events.at(-1)?.outcomes[0]?.fromDenyCache).toBe(true);
  reload(rules(2));
  await decide('ip=x');
  expect(events.at(-1)?.outcomes[0]?.fromDenyCache).toBe(false);
});

it('is off with COUNT_DENIED=false, where a smaller request may still fit', async () => {
  const { decideHits, limiter } = fixture({ countDenied: false });
  expect(printStatuses(await decideHits(6, 'five=x'))).toEqual(['OVER 0/5 30s']);
  expect(printStatuses(await decideHits(5, 'five=x'))).toEqual(['OK 0/5 30s']);
  expect(limiter.denyCacheSize()).toBe(0);
});

it('counts the time to the end of the window from when the store was asked, however late it answered', async () => {
  const clock = fakeClock('2026-01-01T00:00:59.000Z');
  const memory = createMemoryStore({ clock, maxCounters: 100 });
  const slow: CounterStore = {
    ...memory,
    async hit(hits, deadline) {
      const result = await memory.hit(hits, deadline);
      clock.advance(400);
      return result;
    },
  };
  const { decideHits, decide, events } = fixture({
    clock,
    store: slow,
    denyCache: { ...denyCache, lookAgainMs: 1e6 },
  });
  await decideHits(11, 'group=g');
  clock.advance(590);
  expect(printStatuses(await decide('group=g'))).toEqual(['OVER 0/10 1s']);
  expect(events.at(-1)?.outcomes[0]?.fromDenyCache).toBe(true);
  clock.advance(10);
  expect(printStatuses(await decide('group=g'))).toEqual(['OK 9/10 60s']);
});

it('stays within its bytes', async () => {
  const { decideHits, limiter } = fixture({
    denyCache: { ...denyCache, maxBytes: 5_000 },
  });
  for (let i = 0; i < 1_000; i++) await decideHits(11, `group=${i}`);
  expect(limiter.denyCacheSize()).toBeGreaterThan(5);
  expect(limiter.denyCacheSize()).toBeLessThan(40);
});
