import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCalendar } from '../../../src/domain/calendar.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import {
  type Counting,
  calendarWindow,
  fixedWindow,
  slidingWindow,
  tokenBucket,
} from '../../../src/domain/counting.ts';
import type { Hit } from '../../../src/domain/hit.ts';
import type { CounterStore, HitResult } from '../../../src/store/counter-store.ts';
import { createMemoryStore } from '../../../src/store/memory-store.ts';
import { isStoreError } from '../../../src/store/store-error.ts';
import { freshKey, inTime } from '../../case/counter-store.case.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { closeAfterEach } from '../../support/opened-stores.ts';
import { startCluster } from '../../support/redis-cluster.ts';
import { startRedis } from '../../support/redis-server.ts';
import { connectionToCluster, connectionToPort } from '../../support/redis-stores.ts';

const { open, openStore } = closeAfterEach();

/** A window that does not end while the test runs. */
const day = 86_400;

/** How each of the counters counts. What depends on the time of day does so by less than one hit. */
const countings: readonly Counting[] = [
  fixedWindow(day),
  slidingWindow(day),
  tokenBucket(8, day, 8) as Counting,
  calendarWindow(createCalendar('YEAR', 'UTC')),
  fixedWindow(day),
  tokenBucket(3, day, 5) as Counting,
];

const anyHit = fc.record({
  key: fc.nat(5),
  cost: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 5 }) },
    { weight: 3, arbitrary: fc.integer({ min: -5, max: -1 }) },
    { weight: 1, arbitrary: fc.constantFrom(2 ** 32 - 1, -(2 ** 32 - 1)) },
  ),
  limit: fc.integer({ min: 0, max: 8 }),
  denies: fc.constantFrom('always', 'together', 'with-previous', 'never'),
});

/** One request: all its hits are counted, or none when they deny. */
const anyStep = fc.record({
  hits: fc.array(anyHit, { minLength: 1, maxLength: 4 }),
  // Over several nodes "none" is made good afterwards, so only equal keys are tried there.
  unlessDenied: fc.boolean(),
});

type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

function hitsOf({ hits, unlessDenied }: Step, keys: readonly string[]): Hit[] {
  return hits.map(({ key, ...rest }) => {
    const shared = unlessDenied ? (hits[0]?.key ?? 0) : key;
    const counting = countings[shared] as Counting;
    const limit = counting.kind === 'token_bucket' ? counting.burst : rest.limit;
    return { ...rest, key: keys[shared] as string, fingerprint: shared, counting, isPerSecond: false, limit };
  });
}

function countsOf({ states, counted }: HitResult): unknown {
  const counts = states.map((state) => (isStoreError(state) ? state : [state.before, state.after]));
  return { counts, counted };
}

describeWithTools(['redis-server'], 'stores', () => {
  it('give the same answers to the same history', async () => {
    const redis = open(await startRedis());
    const cluster = open(await startCluster());
    const memory = createMemoryStore({ clock: systemClock, maxCounters: 100_000 });
    const others: CounterStore[] = [
      openStore(connectionToPort(redis.port)).store,
      openStore(connectionToPort(redis.port), { scriptFlags: false }).store,
      openStore(connectionToCluster(cluster)).store,
    ];
    await Promise.all(others.map((store) => store.ready));
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 15 }), async (steps) => {
        // Each store has keys of its own: two of them are on the same Redis.
        const all = [memory, ...others].map((store) => ({
          store,
          keys: Array.from({ length: 6 }, freshKey),
        }));
        for (const step of steps) {
          const [expected, ...answers] = await Promise.all(
            all.map(async ({ store, keys }) => {
              const hits = hitsOf(step, keys);
              const method = step.unlessDenied ? 'hitUnlessDenied' : 'hit';
              return countsOf(await store[method](hits, inTime()));
            }),
          );
          for (const answer of answers) expect(answer).toEqual(expected);
        }
      }),
      { numRuns: 100 },
    );
  });
});
