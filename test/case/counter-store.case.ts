import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedWindow } from '../../src/domain/counting.ts';
import type { Hit } from '../../src/domain/hit.ts';
import { fingerprintWith } from '../../src/domain/key-fingerprint.ts';
import type { AdjustableStore, CounterState, CounterStore } from '../../src/store/counter-store.ts';
import { isStoreError } from '../../src/store/store-error.ts';

/** A store under test. It may hold counters already; every test uses keys of its own. */
export interface StoreUnderTest {
  readonly store: AdjustableStore;
  dispose(): Promise<void>;
}

const hour = 3_600;
const maxUint32 = 2 ** 32 - 1;
const maxCount = 2 ** 32;

let lastKey = 0;

/** A key that no test had before, as the limiter writes them: with a hash tag, and how it counts at its end. */
export function freshKey(counting: number | string = hour): string {
  lastKey += 1;
  return `test:${process.pid}:v1{case|n=${lastKey}}${counting}`;
}

/** A hit of an hour's counter; the numbers that a test does not give are of no interest to it. */
export function hitOn(key: string, cost: number, rest: Partial<Hit> = {}): Hit {
  return {
    key,
    fingerprint: fingerprintWith(0, key),
    counting: fixedWindow(hour),
    isPerSecond: false,
    cost,
    limit: 10,
    denies: 'always',
    ...rest,
  };
}

/** Enough for a busy machine, and short enough for a test to end. */
export function inTime(): number {
  return performance.now() + 10_000;
}

/** States without the time, which a test can't know; errors as they are. */
export function countsOf(states: readonly object[]): object[] {
  return states.map((state) =>
    isStoreError(state)
      ? state
      : { before: (state as CounterState).before, after: (state as CounterState).after },
  );
}

/** What every counter store promises: see `CounterStore`. Windows are an hour, so that no test meets a boundary. */
export function counterStoreContract(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`${name} obeys the contract of counter stores`, () => {
    let underTest: StoreUnderTest;
    let store: CounterStore;
    beforeAll(async () => {
      underTest = await makeStore();
      store = underTest.store;
      await store.ready;
    });
    afterAll(() => underTest.dispose());

    const hit = async (...hits: Hit[]) => {
      const result = await store.hit(hits, inTime());
      expect(result.counted).toBe(true);
      return countsOf(result.states);
    };
    const hitUnlessDenied = async (...hits: Hit[]) => {
      const { states, counted } = await store.hitUnlessDenied(hits, inTime());
      return { states: countsOf(states), counted };
    };
    const countOf = async (key: string) => {
      const [state] = (await store.hit([hitOn(key, 0)], inTime())).states;
      return (state as CounterState).after;
    };

    describe('counting every hit', () => {
      it('takes', async () => {
        const key = freshKey();
        expect(await hit(hitOn(key, 1))).toEqual([{ before: 0, after: 1 }]);
        expect(await hit(hitOn(key, 5))).toEqual([{ before: 1, after: 6 }]);
      });

      it('counts beyond the limit', async () => {
        const key = freshKey();
        expect(await hit(hitOn(key, 20), hitOn(key, 1))).toEqual([
          { before: 0, after: 20 },
          { before: 20, after: 21 },
        ]);
      });

      it('keeps keys apart, and answers in order', async () => {
        const [a, b] = [freshKey(), freshKey()];
        expect(await hit(hitOn(a, 2), hitOn(b, 3), hitOn(a, 4))).toEqual([
          { before: 0, after: 2 },
          { before: 0, after: 3 },
          { before: 2, after: 6 },
        ]);
      });

      it('N04: a look changes nothing and creates nothing', async () => {
        const key = freshKey();
        expect(await hit(hitOn(key, 0))).toEqual([{ before: 0, after: 0 }]);
        expect(await hit(hitOn(key, 3), hitOn(key, 0))).toEqual([
          { before: 0, after: 3 },
          { before: 3, after: 3 },
        ]);
      });

      it('N06: giving back stops at 0', async () => {
        const key = freshKey();
        await hit(hitOn(key, 10));
        expect(await hit(hitOn(key, -4))).toEqual([{ before: 10, after: 6 }]);
        expect(await hit(hitOn(key, -100))).toEqual([{ before: 6, after: 0 }]);
        expect(await hit(hitOn(key, -1))).toEqual([{ before: 0, after: 0 }]);
        expect(await hit(hitOn(key, 2))).toEqual([{ before: 0, after: 2 }]);
      });

      it('N06: giving back to a counter that does not exist leaves none', async () => {
        const key = freshKey();
        expect(await hit(hitOn(key, -3), hitOn(key, 1))).toEqual([
          { before: 0, after: 0 },
          { before: 0, after: 1 },
        ]);
      });

      it('equal keys in one call are done in order, giving back among them', async () => {
        const key = freshKey();
        const costs = [3, 0, -5, 2, 2, -1, 0];
        expect(await hit(...costs.map((cost) => hitOn(key, cost)))).toEqual([
          { before: 0, after: 3 },
          { before: 3, after: 3 },
          { before: 3, after: 0 },
          { before: 0, after: 2 },
          { before: 2, after: 4 },
          { before: 4, after: 3 },
          { before: 3, after: 3 },
        ]);
      });

      it('N07: counts stop at 2^32, and never fail', async () => {
        const key = freshKey();
        expect(await hit(hitOn(key, maxUint32))).toEqual([{ before: 0, after: maxUint32 }]);
        expect(await hit(hitOn(key, maxUint32), hitOn(key, 1))).toEqual([
          { before: maxUint32, after: maxCount },
          { before: maxCount, after: maxCount },
        ]);
        expect(await hit(hitOn(key, -maxUint32))).toEqual([{ before: maxCount, after: 1 }]);
      });

      it('tells the time to the end of the window, the same for all hits', async () => {
        const hits = [hitOn(freshKey(), 1), hitOn(freshKey(), 0), hitOn(freshKey(), -1)];
        const { states } = await store.hit(hits, inTime());
        const [first, ...others] = states.map((state) => (state as CounterState).msUntilReset);
        expect(first).toBeGreaterThan(0);
        expect(first).toBeLessThanOrEqual(hour * 1_000);
        // Nodes of a cluster have each their own clock.
        for (const other of others) expect(Math.abs(other - (first as number))).toBeLessThan(5_000);
      });

      it('answers no hits with no states', async () => {
        expect(await store.hit([], inTime())).toEqual({ states: [], counted: true });
        expect(await store.hitUnlessDenied([], inTime())).toEqual({ states: [], counted: true });
      });

      it('N02: concurrent calls lose no hit', async () => {
        const key = freshKey();
        const calls = Array.from({ length: 500 }, () => store.hit([hitOn(key, 1)], inTime()));
        const afters = (await Promise.all(calls)).map(({ states }) => (states[0] as CounterState).after);
        expect(afters.sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
      });

      it('counts more hits in one call than a batch holds', async () => {
        const hits = Array.from({ length: 700 }, () => hitOn(freshKey(), 1));
        expect(await hit(...hits)).toEqual(hits.map(() => ({ before: 0, after: 1 })));
        expect(await hit(...hits)).toEqual(hits.map(() => ({ before: 1, after: 2 })));
      });
    });

    describe('counting unless denied', () => {
      it('counts when nothing is over', async () => {
        const [a, b] = [freshKey(), freshKey()];
        expect(await hitUnlessDenied(hitOn(a, 1), hitOn(b, 10))).toEqual({
          states: [
            { before: 0, after: 1 },
            { before: 0, after: 10 },
          ],
          counted: true,
        });
        expect(await countOf(b)).toBe(10);
      });

      it('N02: counts nothing anywhere when one is over, and tells what it would have been', async () => {
        const keys = Array.from({ length: 6 }, () => freshKey());
        const [full, ...others] = keys as [string, ...string[]];
        await hit(hitOn(full, 10));
        expect(await hitUnlessDenied(...others.map((key) => hitOn(key, 1)), hitOn(full, 1))).toEqual({
          states: [...others.map(() => ({ before: 0, after: 1 })), { before: 10, after: 11 }],
          counted: false,
        });
        await expect.poll(async () => Promise.all(keys.map(countOf))).toEqual([10, 0, 0, 0, 0, 0]);
      });

      it('N01: denied hits leave room for a smaller one', async () => {
        const key = freshKey();
        const hits = (cost: number) => hitUnlessDenied(hitOn(key, cost, { limit: 5 }));
        expect(await hits(3)).toEqual({ states: [{ before: 0, after: 3 }], counted: true });
        expect(await hits(3)).toEqual({ states: [{ before: 3, after: 6 }], counted: false });
        expect(await hits(2)).toEqual({ states: [{ before: 3, after: 5 }], counted: true });
      });

      it('judges equal keys with a running sum', async () => {
        const key = freshKey();
        const two = [hitOn(key, 6), hitOn(key, 6)];
        expect(await hitUnlessDenied(...two)).toEqual({
          states: [
            { before: 0, after: 6 },
            { before: 6, after: 12 },
          ],
          counted: false,
        });
        expect(await countOf(key)).toBe(0);
        expect(await hitUnlessDenied(hitOn(key, 8), hitOn(key, -5), hitOn(key, 7))).toMatchObject({
          counted: true,
        });
        expect(await countOf(key)).toBe(10);
      });

      it('a shadow rule that is over denies nothing, and counts', async () => {
        const [shadow, real] = [freshKey(), freshKey()];
        const result = await hitUnlessDenied(hitOn(shadow, 11, { denies: 'never' }), hitOn(real, 1));
        expect(result.counted).toBe(true);
        expect(await countOf(shadow)).toBe(11);
      });

      it('N18: one used-up quota beside another denies nothing, all of them do', async () => {
        const [first, second, plain] = [freshKey(), freshKey(), freshKey()];
        const quota = (key: string, cost: number) => hitOn(key, cost, { denies: 'together' });
        expect(await hitUnlessDenied(quota(first, 11), quota(second, 10))).toMatchObject({ counted: true });
        expect(await hitUnlessDenied(quota(first, 1), quota(second, 1), hitOn(plain, 1))).toEqual({
          states: [
            { before: 11, after: 12 },
            { before: 10, after: 11 },
            { before: 0, after: 1 },
          ],
          counted: false,
        });
        await expect.poll(async () => Promise.all([first, second, plain].map(countOf))).toEqual([11, 10, 0]);
      });

      it('giving back is never over, and is not done in a denied request', async () => {
        const [high, full] = [freshKey(), freshKey()];
        await hit(hitOn(high, 50), hitOn(full, 10));
        expect(await hitUnlessDenied(hitOn(high, -1))).toEqual({
          states: [{ before: 50, after: 49 }],
          counted: true,
        });
        expect(await hitUnlessDenied(hitOn(high, -9), hitOn(full, 1))).toMatchObject({ counted: false });
        await expect.poll(() => countOf(high)).toBe(49);
      });

      it('a look is over only above the limit', async () => {
        const key = freshKey();
        await hit(hitOn(key, 10));
        expect(await hitUnlessDenied(hitOn(key, 0))).toMatchObject({ counted: true });
        expect(await hitUnlessDenied(hitOn(key, 0, { limit: 9 }))).toMatchObject({ counted: false });
      });

      it('a limit of 0 denies', async () => {
        expect(await hitUnlessDenied(hitOn(freshKey(), 1, { limit: 0 }))).toMatchObject({ counted: false });
      });

      it('N02: concurrent calls together use the limit up exactly', async () => {
        const narrow = freshKey();
        const wide = `${narrow}:wide`; // of the same slot: the guarantee is per node
        const hits = [hitOn(wide, 1), hitOn(narrow, 1, { limit: 3 })];
        const calls = Array.from({ length: 50 }, () => store.hitUnlessDenied(hits, inTime()));
        const results = await Promise.all(calls);
        expect(results.map(({ counted }) => counted)).toEqual(results.map((_, index) => index < 3));
        expect([await countOf(wide), await countOf(narrow)]).toEqual([3, 3]);
      });
    });
  });
}
