import fc from 'fast-check';
import type { Adjustment } from '../../src/domain/adjustment.ts';
import { createCalendar } from '../../src/domain/calendar.ts';
import {
  type Counting,
  calendarWindow,
  fixedWindow,
  slidingWindow,
  tokenBucket,
} from '../../src/domain/counting.ts';
import type { Denies, Hit } from '../../src/domain/hit.ts';
import { storedKeys } from '../../src/store/redis/script-arguments.ts';
import { anyAdjustment } from './fixed-window-steps.ts';

const maxUint32 = 2 ** 32 - 1;

function bucket(tokens: number, windowSeconds: number, burst: number): Counting {
  const counting = tokenBucket(tokens, windowSeconds, burst);
  if (counting === undefined) throw new Error('no bucket');
  return counting;
}

const countings: readonly Counting[] = [
  slidingWindow(1),
  slidingWindow(60),
  slidingWindow(31_536_000),
  bucket(10, 60, 10),
  bucket(7, 60, 20),
  bucket(3, 1, 1),
  bucket(maxUint32, 1, maxUint32),
  bucket(5_001, 86_400, 5_001),
  bucket(0, 60, 0),
  calendarWindow(createCalendar('DAY', 'Europe/Berlin')),
  calendarWindow(createCalendar('MONTH', 'UTC')),
];

/** The counters of a history. Among them is one of fixed windows, which both scripts count. */
export const countedKeys = [...countings, fixedWindow(60)].map((counting, index) => {
  return { key: `k${index}:`, counting };
});

type CountedKey = (typeof countedKeys)[number];

const anyKey = fc.constantFrom(...countedKeys);
/** A bucket that holds nothing is not looked into. */
const readKeys = countedKeys.filter(({ counting }) => counting.kind !== 'token_bucket' || counting.burst > 0);
const anyLimit = fc.constantFrom(0, 3, 10, 100, maxUint32);
const smallCost = fc.integer({ min: 0, max: 12 });
const anyCost = fc.oneof(
  { arbitrary: fc.integer({ min: -5, max: 12 }), weight: 8 },
  { arbitrary: fc.constant(1), weight: 8 },
  { arbitrary: fc.constantFrom(maxUint32, -maxUint32, 2 ** 31), weight: 1 },
);

function hitOn(where: fc.Arbitrary<CountedKey>, cost: fc.Arbitrary<number>, denies: readonly Denies[]) {
  return fc
    .record({ where, cost, limit: anyLimit, denies: fc.constantFrom(...denies) })
    .map(({ where: { key, counting }, limit, ...rest }): Hit => {
      const isBucket = counting.kind === 'token_bucket';
      return {
        ...{ key, counting, fingerprint: Number.parseInt(key.slice(1), 10), isPerSecond: false },
        ...{ ...rest, limit: isBucket ? counting.burst : limit },
      };
    });
}

const anyHit = hitOn(anyKey, anyCost, ['always', 'always', 'together', 'with-previous', 'never']);
/** What is not of fixed windows alone, so that it takes the script for all algorithms. */
const otherHit = hitOn(fc.constantFrom(...countedKeys.slice(0, -1)), anyCost, ['always', 'never']);
/**
 * Giving back moves hits between the windows of a counter, and parts of tokens are lost to it: it is undone only nearly, so
 * that it is left out where undoing is compared.
 */
const takingHits = fc.array(
  hitOn(fc.constantFrom(...countedKeys.slice(0, -1)), smallCost, ['never', 'never', 'always']),
  { minLength: 1, maxLength: 6 },
);

/** What happens to the counters, one after the other. */
export type AlgorithmStep =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'remove' | 'list'; readonly key: string; readonly keys: string[] }
  | { readonly do: 'denied-elsewhere'; readonly hits: readonly Hit[] }
  | { readonly do: 'adjust'; readonly hit: Hit; readonly adjustment: Adjustment }
  | {
      readonly do: 'call';
      readonly hits: readonly Hit[];
      readonly undone: readonly { readonly hit: Hit; readonly lowest: number; readonly windowsAgo: number }[];
      readonly groups: readonly (readonly Hit[])[];
    };

const anyLowest = fc.constantFrom(0, 0, -1, -4, -maxUint32);

const anyWait = fc.oneof(
  fc.integer({ min: -2_000, max: 20_000 }),
  fc.integer({ min: 0, max: 200_000 }),
  fc.constantFrom(-3_600_000, -60_000, -1_000, -1, 1, 999, 1_000, 6_000, 60_000, 3_600_000, 86_400_000),
);

export const anyAlgorithmStep: fc.Arbitrary<AlgorithmStep> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      hits: fc
        .tuple(otherHit, fc.array(anyHit, { maxLength: 12 }))
        .map(([first, others]) => [first, ...others]),
      undone: fc.array(
        fc.record({ hit: anyHit, lowest: anyLowest, windowsAgo: fc.integer({ min: 0, max: 1 }) }),
        {
          maxLength: 2,
        },
      ),
      groups: fc.array(fc.array(anyHit, { minLength: 1, maxLength: 5 }), { maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('denied-elsewhere' as const), hits: takingHits }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), hit: anyHit, adjustment: anyAdjustment }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: anyWait }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('remove' as const, 'list' as const), fc.constantFrom(...readKeys))
      .map(([what, counted]) => ({ do: what, key: counted.key, keys: [...storedKeys(counted)] })),
  },
);

/** Any time of some years from now on: the server's own clock is then far behind. */
export const anyMoment = fc
  .integer({ min: 0, max: 5 * 31_536_000_000 })
  .map((ms) => Math.floor(Date.now() / 86_400_000) * 86_400_000 + 315_360_000_000 + ms);
