import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCalendar } from '../../src/domain/calendar.ts';
import {
  type Counting,
  calendarWindow,
  slidingWindow,
  type TokenBucket,
  tokenBucket,
} from '../../src/domain/counting.ts';
import type { Hit } from '../../src/domain/hit.ts';
import type { CounterState, CounterStore } from '../../src/store/counter-store.ts';
import { countsOf, freshKey, hitOn, inTime, type StoreUnderTest } from './counter-store.case.ts';

const day = 86_400;
const dayMs = day * 1000;
const tenADay = tokenBucket(10, day, 10) as TokenBucket;

/** Windows so long that no test meets their end, and a bucket that gains a token in some hours. */
const algorithms: readonly {
  readonly name: string;
  readonly counting: Counting;
  readonly countsDenied: boolean;
}[] = [
  { name: 'a sliding window', counting: slidingWindow(31_536_000), countsDenied: true },
  { name: 'a bucket of tokens', counting: tenADay, countsDenied: false },
  {
    name: 'a window of the calendar',
    counting: calendarWindow(createCalendar('YEAR', 'UTC')),
    countsDenied: true,
  },
];

/** What every counter store promises of algorithms other than fixed windows. Each limit is 10. */
export function algorithmsContract(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`${name} counts by every algorithm`, () => {
    let underTest: StoreUnderTest;
    let store: CounterStore;
    beforeAll(async () => {
      underTest = await makeStore();
      store = underTest.store;
      await store.ready;
    });
    afterAll(() => underTest.dispose());

    const statesOf = async (hits: readonly Hit[]) =>
      (await store.hit(hits, inTime())).states as readonly CounterState[];
    const hitUnlessDenied = async (...hits: Hit[]) => {
      const { states, counted } = await store.hitUnlessDenied(hits, inTime());
      return { states: countsOf(states), counted };
    };

    describe.each(algorithms)('$name', ({ counting, countsDenied }) => {
      const on = (key: string, cost: number, rest: Partial<Hit> = {}) =>
        hitOn(key, cost, { counting, ...rest });
      const hit = async (...hits: Hit[]) => countsOf(await statesOf(hits));
      const usedOf = async (key: string) => (await statesOf([on(key, 0)]))[0]?.before;

      it('takes, looks and gives back', async () => {
        const key = freshKey(counting.id);
        expect(await hit(on(key, 4), on(key, 0), on(key, -1), on(key, 2))).toEqual([
          { before: 0, after: 4 },
          { before: 4, after: 4 },
          { before: 4, after: 3 },
          { before: 3, after: 5 },
        ]);
        expect(await usedOf(key)).toBe(5);
        expect(await hit(on(key, -100))).toEqual([{ before: 5, after: 0 }]);
      });

      it('looking and giving back create nothing', async () => {
        const key = freshKey(counting.id);
        expect(await hit(on(key, 0), on(key, -3))).toEqual([
          { before: 0, after: 0 },
          { before: 0, after: 0 },
        ]);
        expect(await usedOf(key)).toBe(0);
      });

      it('a hit that is over counts in windows, and takes no tokens', async () => {
        const key = freshKey(counting.id);
        await hit(on(key, 8));
        expect(await hit(on(key, 5))).toEqual([{ before: 8, after: 13 }]);
        expect(await usedOf(key)).toBe(countsDenied ? 13 : 8);
      });

      it('equal hits of one call are judged one by one', async () => {
        const key = freshKey(counting.id);
        const afters = (await statesOf(Array.from({ length: 12 }, () => on(key, 1)))).map(
          ({ after }) => after,
        );
        expect(afters).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, countsDenied ? 12 : 11]);
      });

      it('no cost makes a counter fail', async () => {
        const key = freshKey(counting.id);
        const huge = 2 ** 32 - 1;
        const states = await statesOf([on(key, huge), on(key, huge), on(key, -huge), on(key, 1)]);
        expect(states.map((state) => typeof state.after)).toEqual(['number', 'number', 'number', 'number']);
        expect(states[1]?.after).toBe(countsDenied ? 2 ** 32 : huge);
      });

      it('N01: in a request that is denied nothing is counted', async () => {
        const [key, full] = [freshKey(counting.id), freshKey()];
        await hit(on(key, 3));
        await statesOf([hitOn(full, 10)]);
        expect(await hitUnlessDenied(on(key, 2), hitOn(full, 1))).toEqual({
          states: [
            { before: 3, after: 5 },
            { before: 10, after: 11 },
          ],
          counted: false,
        });
        await expect.poll(() => usedOf(key)).toBe(3);
        expect(await hitUnlessDenied(on(key, 8))).toEqual({
          states: [{ before: 3, after: 11 }],
          counted: false,
        });
        expect(await hitUnlessDenied(on(key, 7))).toEqual({
          states: [{ before: 3, after: 10 }],
          counted: true,
        });
      });

      it('N02: concurrent calls together use the limit up exactly', async () => {
        const narrow = freshKey(counting.id);
        const wide = `${narrow.slice(0, narrow.lastIndexOf('}') + 1)}${hourOfOwn}`; // of the same slot
        const hits = [hitOn(wide, 1, { limit: 100 }), on(narrow, 1)];
        const calls = Array.from({ length: 50 }, () => store.hitUnlessDenied(hits, inTime()));
        const results = await Promise.all(calls);
        expect(results.filter(({ counted }) => counted)).toHaveLength(10);
        expect(await usedOf(narrow)).toBe(10);
        expect((await statesOf([hitOn(wide, 0)]))[0]?.before).toBe(10);
      });

      it('several limits of one descriptor are one step, whatever they count by', async () => {
        const identity = freshKey('').slice(0, -1);
        const hits = algorithms.map((one) =>
          hitOn(`${identity}}${one.counting.id}`, 1, { counting: one.counting, limit: 10 }),
        );
        const results = await Promise.all(
          Array.from({ length: 30 }, () => store.hitUnlessDenied(hits, inTime())),
        );
        expect(results.map(({ counted }) => counted)).toEqual(results.map((_, index) => index < 10));
      });
    });

    it('tells when each limit resets', async () => {
      const [sliding, bucket, calendar] = [freshKey('86400s'), freshKey(tenADay.id), freshKey('c-day-UTC')];
      const calendarDay = calendarWindow(createCalendar('DAY', 'UTC'));
      const states = await statesOf([
        hitOn(sliding, 1, { counting: slidingWindow(day) }),
        hitOn(bucket, 3, { counting: tenADay }),
        hitOn(bucket, 8, { counting: tenADay }),
        hitOn(calendar, 1, { counting: calendarDay }),
      ]);
      const [ofWindow, untilFull, untilTokens, ofCalendar] = states.map(
        ({ msUntilReset }) => msUntilReset,
      ) as [number, number, number, number];
      // What is left of the day, and the whole of the next, in which these hits weigh less and less.
      expect(Math.abs(ofWindow - ofCalendar - dayMs)).toBeLessThan(5_000);
      expect(untilFull).toBe((3 * dayMs) / 10);
      expect(untilTokens).toBe(dayMs / 10);
    });
  });
}

const hourOfOwn = 3_600;
