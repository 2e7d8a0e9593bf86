import { describe, expect, it } from 'vitest';
import { adjustContract } from '../../test/case/adjust.case.ts';
import { algorithmsContract } from '../../test/case/algorithms.case.ts';
import { counterStoreContract, freshKey, hitOn } from '../../test/case/counter-store.case.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { fixedWindow } from '../domain/counting.ts';
import type { Hit } from '../domain/hit.ts';
import type { CounterState } from './counter-store.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const makeStore = async () => {
  const store = createMemoryStore({ clock: fakeClock(), maxCounters: 100_000 });
  return { store, dispose: () => store.close() };
};
counterStoreContract('The memory store', makeStore);
algorithmsContract('The memory store', makeStore);
adjustContract('The memory store', makeStore);

function fixture(maxCounters = 1_000) {
  const clock = fakeClock('2026-01-01T00:00:30Z');
  const evictions = { live: 0 };
  const onEvict = () => {
    evictions.live += 1;
  };
  return { clock, evictions, store: createMemoryStore({ clock, maxCounters, onEvict }) };
}

async function countOn(store: MemoryStore, hit: Hit): Promise<CounterState> {
  const { states } = await store.hit([hit], 0);
  return states[0] as CounterState;
}

describe('windows of the memory store', () => {
  const minute = (key: string, cost = 1) => hitOn(key, cost, { counting: fixedWindow(60) });

  it('counts from 0 in the next window, from its first millisecond', async () => {
    const { clock, store } = fixture();
    expect(await countOn(store, minute('a', 4))).toEqual({ before: 0, after: 4, msUntilReset: 30_000 });
    clock.advance(29_999);
    expect(await countOn(store, minute('a'))).toEqual({ before: 4, after: 5, msUntilReset: 1 });
    clock.advance(1);
    expect(await countOn(store, minute('a'))).toEqual({ before: 0, after: 1, msUntilReset: 60_000 });
  });

  it('counts from 0 when the clock steps back to another window', async () => {
    const { clock, store } = fixture();
    await countOn(store, minute('a', 4));
    clock.set('2025-12-31T23:59:59Z');
    expect(await countOn(store, minute('a'))).toEqual({ before: 0, after: 1, msUntilReset: 1_000 });
    clock.set('2026-01-01T00:00:31Z');
    expect(await countOn(store, minute('a'))).toEqual({ before: 0, after: 1, msUntilReset: 29_000 });
  });

  it('a look or a refund in the next window sees 0', async () => {
    const { clock, store } = fixture();
    await countOn(store, minute('a', 4));
    clock.advance(30_000);
    expect(await countOn(store, minute('a', 0))).toMatchObject({ before: 0, after: 0 });
    expect(await countOn(store, minute('a', -3))).toMatchObject({ before: 0, after: 0 });
  });

  it('N11: a fixed window lets its limit through at the end of one and again at the beginning of the next', async () => {
    const { clock, store } = fixture();
    clock.set('2026-01-01T00:00:59.900Z');
    const allowed = async () => {
      const results = [];
      for (let index = 0; index < 10; index += 1) results.push(await store.hitUnlessDenied([minute('g')], 0));
      return results.filter(({ counted }) => counted).length;
    };
    expect(await allowed()).toBe(10);
    clock.advance(200);
    expect(await allowed()).toBe(10);
  });
});

describe('the bound of the memory store', () => {
  const fill = async (store: MemoryStore, prefix: string, count: number, windowSeconds: number) => {
    for (let index = 0; index < count; index += 1) {
      await countOn(store, hitOn(`${prefix}${index}`, 1, { counting: fixedWindow(windowSeconds) }));
    }
  };
  const isKept = async (store: MemoryStore, key: string, windowSeconds: number) =>
    (await countOn(store, hitOn(key, 0, { counting: fixedWindow(windowSeconds) }))).before > 0;

  it('never holds more counters than it may', async () => {
    const { evictions, store } = fixture(100);
    await fill(store, 'a', 1_000, 3_600);
    expect(store.size).toBe(100);
    expect(evictions.live).toBe(900);
  });

  it('drops the oldest first, of whatever window', async () => {
    const { store } = fixture(4);
    await fill(store, 'hour', 2, 3_600);
    await fill(store, 'day', 2, 86_400);
    await fill(store, 'new', 2, 60);
    expect(await isKept(store, 'hour0', 3_600)).toBe(false);
    expect(await isKept(store, 'hour1', 3_600)).toBe(false);
    expect(await isKept(store, 'day0', 86_400)).toBe(true);
    expect(await isKept(store, 'new1', 60)).toBe(true);
  });

  it('drops what has ended before what counts, and does not call that an eviction', async () => {
    const { clock, evictions, store } = fixture(4);
    await fill(store, 'day', 2, 86_400);
    await fill(store, 'minute', 2, 60);
    clock.advance(60_000);
    await fill(store, 'hour', 2, 3_600);
    expect(store.size).toBe(4);
    expect(evictions.live).toBe(0);
    expect(await isKept(store, 'day0', 86_400)).toBe(true);
    expect(await isKept(store, 'hour0', 3_600)).toBe(true);
  });

  it('a counter that moves to the next window is the youngest again', async () => {
    const { clock, store } = fixture(3);
    await fill(store, 'a', 2, 60);
    clock.advance(30_000);
    await fill(store, 'a', 1, 60); // a0 begins anew, a1 has ended
    await fill(store, 'b', 2, 60);
    expect(await isKept(store, 'a0', 60)).toBe(true);
    expect(store.size).toBe(3);
  });

  it('shrinks to what counts, as new counters take ended ones away', async () => {
    const { clock, store } = fixture(10_000);
    await fill(store, 'a', 1_000, 60);
    clock.advance(60_000);
    await fill(store, 'b', 500, 60);
    expect(store.size).toBe(500);
  });

  it.each([
    [1, [60]],
    [3, [1, 60, 300]],
  ])('shrinks to what counts when no rule has %i of the window lengths any more', async (_, gone) => {
    const { clock, evictions, store } = fixture(10_000);
    for (const windowSeconds of gone) await fill(store, `gone${windowSeconds}-`, 200, windowSeconds);
    clock.advance(300_000);
    await fill(store, 'kept', 400, 3_600);
    expect(store.size).toBe(400);
    expect(await isKept(store, 'kept0', 3_600)).toBe(true);
    expect(evictions.live).toBe(0);
  });

  it('counts on windows of a length that was gone for a while', async () => {
    const { clock, store } = fixture();
    await fill(store, 'minute', 2, 60);
    clock.advance(60_000);
    await fill(store, 'hour', 2, 3_600);
    expect(store.size).toBe(2);
    await fill(store, 'minute', 2, 60);
    await fill(store, 'minute', 2, 60);
    expect(store.size).toBe(4);
    clock.advance(60_000);
    await fill(store, 'other', 2, 3_600);
    expect(store.size).toBe(4);
  });

  it('a look and a refund of a missing counter hold nothing', async () => {
    const { store } = fixture();
    await countOn(store, hitOn(freshKey(), 0));
    await countOn(store, hitOn(freshKey(), -5));
    await store.hitUnlessDenied([hitOn(freshKey(), 11)], 0);
    expect(store.size).toBe(0);
  });
});
