import fc from 'fast-check';
import type { Adjustment } from '../../src/domain/adjustment.ts';
import { fixedWindow } from '../../src/domain/counting.ts';
import type { Denies, Hit } from '../../src/domain/hit.ts';

const maxUint32 = 2 ** 32 - 1;

/** The counters of a history, with the lengths of their windows. */
export const keys = [1, 60, 3_600, 86_400].flatMap((seconds) =>
  [`a${seconds}`, `b${seconds}`].map((key) => ({ key, seconds })),
);
const anyKey = fc.constantFrom(...keys);
const anyCost = fc.oneof(
  { arbitrary: fc.integer({ min: -5, max: 12 }), weight: 8 },
  { arbitrary: fc.constantFrom(maxUint32, -maxUint32, 2 ** 31), weight: 1 },
);
const anyHitOn = (anyOfKeys: typeof anyKey, ...denies: Denies[]): fc.Arbitrary<Hit> =>
  fc
    .record({
      where: anyOfKeys,
      cost: anyCost,
      limit: fc.constantFrom(0, 3, 10, 100, maxUint32),
      denies: fc.constantFrom(...denies),
    })
    .map(({ where, ...rest }) => ({
      key: where.key,
      fingerprint: keys.indexOf(where),
      counting: fixedWindow(where.seconds),
      isPerSecond: false,
      ...rest,
    }));
const anyHit = anyHitOn(anyKey, 'always', 'always', 'together', 'never');
/** Several on the same counters, which seldom deny anything. */
const anyHitsOfFewKeys = fc.uniqueArray(anyKey, { minLength: 1, maxLength: 2 }).chain((few) => {
  const anyOfFew = anyHitOn(fc.constantFrom(...few), 'never', 'never', 'never', 'always');
  return fc.array(anyOfFew, { minLength: 1, maxLength: 6 });
});

const anyLowest = fc.constantFrom(0, 0, -1, -4, -maxUint32);

/** What a person does. */
export const anyAdjustment: fc.Arbitrary<Adjustment> = fc.oneof(
  fc.constant({ kind: 'reset' as const }),
  fc.record({
    kind: fc.constant('grant' as const),
    hits: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(2 ** 31, maxUint32)),
  }),
);

/** What happens to the counters, one after the other. */
export type Step =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'expire'; readonly key: string }
  | { readonly do: 'seed'; readonly key: string; readonly text: string; readonly ttl: boolean }
  | {
      readonly do: 'seed-counter';
      readonly where: (typeof keys)[number];
      readonly offset: number;
      readonly count: number;
    }
  | { readonly do: 'list'; readonly key: string }
  | { readonly do: 'adjust'; readonly hit: Hit; readonly adjustment: Adjustment }
  | { readonly do: 'denied-elsewhere'; readonly hits: readonly Hit[] }
  | {
      readonly do: 'call';
      readonly hits: readonly Hit[];
      readonly undone: readonly { readonly hit: Hit; readonly lowest: number; readonly windowsAgo: number }[];
      readonly groups: readonly (readonly Hit[])[];
    };

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      hits: fc.array(anyHit, { maxLength: 12 }),
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
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('denied-elsewhere' as const), hits: anyHitsOfFewKeys }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.integer({ min: -2_000, max: 2_000 }),
        fc.constantFrom(
          -86_400_000,
          -3_600_000,
          -60_000,
          -1_000,
          -1,
          1,
          999,
          1_000,
          60_000,
          3_600_000,
          86_400_000,
        ),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('seed' as const),
      key: anyKey.map(({ key }) => key),
      text: fc.constantFrom(
        ...[
          '9007199254740993',
          '9007199254740991',
          '9007199254740992',
          '9223372036854775807',
          '-9223372036854775808',
        ],
        ...['-5', '0', '7', '007', ' 7', '1.5', '1e3', '', 'abc', '1'.repeat(40), String(2n ** 33n - 1n)],
      ),
      ttl: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('seed-counter' as const),
      where: anyKey,
      offset: fc.integer({ min: -1, max: 1 }),
      count: fc.constantFrom(0, 1, 9, maxUint32, 2 ** 32, -1, -12, -maxUint32),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), hit: anyHit, adjustment: anyAdjustment }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('expire' as const), key: anyKey.map(({ key }) => key) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('list' as const), key: anyKey.map(({ key }) => key) }),
  },
);

/** Index 2^20 of a window of a minute, which is stored as 0, like a key that is not there; and any moment. */
const tenYears = 315_360_000_000;
const minutesAgain = 2 ** 20 * 60_000;
const windowZero = Math.ceil((Date.now() + tenYears) / minutesAgain) * minutesAgain;
/** The time at which a history begins. */
export const anyStart = fc.oneof(
  fc.integer({ min: 0, max: 10 ** 9 }).map((ms) => windowZero + 10 ** 9 + ms),
  fc.integer({ min: -1_000, max: 61_000 }).map((ms) => windowZero + ms),
);
