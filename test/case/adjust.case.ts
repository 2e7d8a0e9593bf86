import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adjustment } from '../../src/domain/adjustment.ts';
import { createCalendar } from '../../src/domain/calendar.ts';
import {
  type Counting,
  calendarWindow,
  fixedWindow,
  slidingWindow,
  type TokenBucket,
  tokenBucket,
} from '../../src/domain/counting.ts';
import type { Hit } from '../../src/domain/hit.ts';
import type { AdjustableStore, CounterState } from '../../src/store/counter-store.ts';
import { countsOf, freshKey, hitOn, inTime, type StoreUnderTest } from './counter-store.case.ts';

const year = 31_536_000;
const maxUint32 = 2 ** 32 - 1;
const reset: Adjustment = { kind: 'reset' };
const grant = (hits: number): Adjustment => ({ kind: 'grant', hits });

/** Windows so long that no test meets their end. */
const windows: readonly (readonly [string, Counting])[] = [
  ['a fixed window', fixedWindow(year)],
  ['a sliding window', slidingWindow(year)],
  ['a window of the calendar', calendarWindow(createCalendar('YEAR', 'UTC'))],
];
/** Gains a token in some hours. */
const bucket = tokenBucket(10, 86_400, 10) as TokenBucket;

/** What every store promises of changes that a person makes: see `AdjustableStore`. Each limit is 10. */
export function adjustContract(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`${name} lets people change counters`, () => {
    let underTest: StoreUnderTest;
    let store: AdjustableStore;
    beforeAll(async () => {
      underTest = await makeStore();
      store = underTest.store;
      await store.ready;
    });
    afterAll(() => underTest.dispose());

    const hit = async (...hits: Hit[]) => countsOf((await store.hit(hits, inTime())).states);
    const adjust = async (one: Hit, adjustment: Adjustment) =>
      countsOf([await store.adjust(one, adjustment, inTime())])[0];

    describe.each(windows)('%s', (_, counting) => {
      const on = (key: string, cost: number, rest: Partial<Hit> = {}) =>
        hitOn(key, cost, { counting, ...rest });

      it('is as if nobody had come after a reset', async () => {
        const key = freshKey(counting.id);
        await hit(on(key, 7));
        expect(await adjust(on(key, 1), reset)).toEqual({ before: 7, after: 0 });
        expect(await hit(on(key, 0), on(key, 2))).toEqual([
          { before: 0, after: 0 },
          { before: 0, after: 2 },
        ]);
      });

      it('has more left than the limit after a grant of more than was used', async () => {
        const key = freshKey(counting.id);
        await hit(on(key, 3));
        expect(await adjust(on(key, 0), grant(20))).toEqual({ before: 3, after: -17 });
        const results = await Promise.all(
          Array.from({ length: 30 }, () => store.hitUnlessDenied([on(key, 1)], inTime())),
        );
        expect(results.filter(({ counted }) => counted)).toHaveLength(27);
        expect(await hit(on(key, 0))).toEqual([{ before: 10, after: 10 }]);
      });

      it('grants beyond the limit, however many were denied', async () => {
        const key = freshKey(counting.id);
        await hit(on(key, 25));
        expect(await adjust(on(key, 0), grant(5))).toEqual({ before: 25, after: 5 });
        await hit(on(key, maxUint32), on(key, 1));
        expect(await adjust(on(key, 0), grant(12))).toEqual({ before: 2 ** 32, after: -2 });
      });

      it('takes grants where nothing was counted, and more of them, down to a bound', async () => {
        const key = freshKey(counting.id);
        expect(await adjust(on(key, 0), grant(5))).toEqual({ before: 0, after: -5 });
        expect(await adjust(on(key, 0), grant(1))).toEqual({ before: -5, after: -6 });
        expect(await adjust(on(key, 0), grant(maxUint32))).toEqual({ before: -6, after: -maxUint32 });
        expect(await hit(on(key, maxUint32), on(key, 1))).toEqual([
          { before: -maxUint32, after: 0 },
          { before: 0, after: 1 },
        ]);
      });

      it('keeps a grant from what callers give back', async () => {
        const key = freshKey(counting.id);
        await adjust(on(key, 0), grant(5));
        expect(await hit(on(key, -3), on(key, 7), on(key, -9))).toEqual([
          { before: -5, after: -5 },
          { before: -5, after: 2 },
          { before: 2, after: 0 },
        ]);
      });

      it('has a grant back when a request is denied elsewhere', async () => {
        const [granted, full] = [freshKey(counting.id), freshKey(counting.id)];
        await adjust(on(granted, 0), grant(5));
        await hit(on(full, 10));
        const { states, counted } = await store.hitUnlessDenied([on(granted, 8), on(full, 1)], inTime());
        expect({ states: countsOf(states), counted }).toEqual({
          states: [
            { before: -5, after: 3 },
            { before: 10, after: 11 },
          ],
          counted: false,
        });
        await expect.poll(() => hit(on(granted, 0))).toEqual([{ before: -5, after: -5 }]);
      });

      it('takes a grant away with a reset', async () => {
        const key = freshKey(counting.id);
        await adjust(on(key, 0), grant(5));
        expect(await adjust(on(key, 0), reset)).toEqual({ before: -5, after: 0 });
        expect(await adjust(on(key, 0), reset)).toEqual({ before: 0, after: 0 });
      });

      it('is not changed twice at a time', async () => {
        const key = freshKey(counting.id);
        const granted = on(key, 0, { limit: 100 });
        const grants = Array.from({ length: 20 }, () => store.adjust(granted, grant(2), inTime()));
        const hits = Array.from({ length: 30 }, () => store.hit([on(key, 1)], inTime()));
        await Promise.all([...grants, ...hits]);
        expect(await hit(on(key, 0))).toEqual([{ before: -10, after: -10 }]);
      });

      it('tells when it resets', async () => {
        const key = freshKey(counting.id);
        const { msUntilReset } = (await store.adjust(on(key, 0), grant(1), inTime())) as CounterState;
        expect(msUntilReset).toBeGreaterThan(0);
        expect(msUntilReset).toBeLessThanOrEqual(366 * 86_400_000);
      });
    });

    describe('a bucket of tokens', () => {
      const on = (key: string, cost: number) => hitOn(key, cost, { counting: bucket });

      it('gets back what it is granted until it is full, and all by a reset', async () => {
        const key = freshKey(bucket.id);
        await hit(on(key, 8));
        expect(await adjust(on(key, 0), grant(3))).toEqual({ before: 8, after: 5 });
        expect(await adjust(on(key, 0), grant(20))).toEqual({ before: 5, after: 0 });
        await hit(on(key, 4));
        expect(await adjust(on(key, 0), reset)).toEqual({ before: 4, after: 0 });
        expect(await hit(on(key, 10))).toEqual([{ before: 0, after: 10 }]);
      });
    });
  });
}
