import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Hit } from '../../src/domain/hit.ts';
import { type Batch, makeBatch, settleBatch } from '../../src/store/redis/batch.ts';
import { fixedWindow, fixedWindowPlain } from '../../src/store/redis/scripts.gen.ts';
import { CompensationTask, GroupTask, HitCall, HitTask, type Task } from '../../src/store/redis/task.ts';
import { isStoreError } from '../../src/store/store-error.ts';
import { CounterModel, type Counts, textOfCounter } from '../support/counter-model.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';

/**
 * The script with a time that the test sets, as KEYS; everything else is the script as it is. The times are years ahead
 * of the server's own, so that nothing expires by itself: expiry is a step of the history.
 */
function withTimeFromTest(source: string): string {
  const call = "redis.call('TIME')";
  expect(source.split(call)).toHaveLength(2);
  return source.replace(call, '{KEYS[1], KEYS[2]}');
}

const maxUint32 = 2 ** 32 - 1;
const maxJitterMs = 300_000;

const keys = [1, 60, 3_600, 86_400].flatMap((seconds) =>
  [`a${seconds}`, `b${seconds}`].map((key) => ({ key, seconds })),
);
const anyKey = fc.constantFrom(...keys);
const anyCost = fc.oneof(
  { arbitrary: fc.integer({ min: -5, max: 12 }), weight: 8 },
  { arbitrary: fc.constantFrom(maxUint32, -maxUint32, 2 ** 31), weight: 1 },
);
const anyHit: fc.Arbitrary<Hit> = fc
  .record({
    where: anyKey,
    cost: anyCost,
    limit: fc.constantFrom(0, 3, 10, 100, maxUint32),
    denies: fc.constantFrom('always', 'always', 'together', 'never'),
  })
  .map(({ where, ...rest }) => ({ key: where.key, windowSeconds: where.seconds, ...rest }));

type Step =
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
  | {
      readonly do: 'call';
      readonly hits: readonly Hit[];
      readonly undone: readonly { readonly hit: Hit; readonly windowsAgo: number }[];
      readonly groups: readonly (readonly Hit[])[];
    };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      hits: fc.array(anyHit, { maxLength: 12 }),
      undone: fc.array(fc.record({ hit: anyHit, windowsAgo: fc.integer({ min: 0, max: 1 }) }), {
        maxLength: 2,
      }),
      groups: fc.array(fc.array(anyHit, { minLength: 1, maxLength: 5 }), { maxLength: 3 }),
    }),
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
      count: fc.constantFrom(0, 1, 9, maxUint32, 2 ** 32),
    }),
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
const anyStart = fc.oneof(
  fc.integer({ min: 0, max: 10 ** 9 }).map((ms) => windowZero + 10 ** 9 + ms),
  fc.integer({ min: -1_000, max: 61_000 }).map((ms) => windowZero + ms),
);

describeWithTools(['redis-server'], 'lua/fixed_window.lua equals the reducer', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  for (const script of [fixedWindow, fixedWindowPlain]) {
    it(`on random histories: ${script.name}`, async () => {
      const source = withTimeFromTest(script.source);
      const property = fc.asyncProperty(
        anyStart,
        fc.array(anyStep, { minLength: 3, maxLength: 20 }),
        async (start, steps) => {
          await redis.client.flushall();
          const history = new History(redis, source, start);
          for (const step of steps) await history.run(step);
        },
      );
      await fc.assert(property, { numRuns: 150 });
    }, 60_000);
  }
});

/** Does each step to Redis and to the model, and compares the answers and what is stored. */
class History {
  readonly #redis: RedisServer;
  readonly #source: string;
  readonly #model: CounterModel;

  constructor(redis: RedisServer, source: string, startMs: number) {
    this.#redis = redis;
    this.#source = source;
    this.#model = new CounterModel(startMs);
  }

  async run(step: Step): Promise<void> {
    const { client } = this.#redis;
    const model = this.#model;
    switch (step.do) {
      case 'wait':
        model.nowMs += step.ms;
        return;
      case 'expire':
        await client.del(step.key);
        model.remove(step.key);
        return;
      case 'list':
        await client.del(step.key);
        model.remove(step.key);
        await client.rpush(step.key, 'x');
        model.stored.set(step.key, 'list');
        return;
      case 'seed':
        await (step.ttl ? client.set(step.key, step.text, 'EX', 100_000) : client.set(step.key, step.text));
        model.seed(step.key, step.text);
        return;
      case 'seed-counter': {
        const window = (model.window(step.where.seconds) + step.offset + 2 ** 20) % 2 ** 20;
        const text = textOfCounter({ window, count: step.count });
        await client.set(step.where.key, text);
        model.seed(step.where.key, text);
        return;
      }
      case 'call':
        await this.#call(step);
    }
  }

  async #call({ hits, undone, groups }: Extract<Step, { do: 'call' }>): Promise<void> {
    const model = this.#model;
    const answered: { hits: Promise<Counts[]>; groups: { counts: Counts[]; counted: boolean }[] } = {
      hits: Promise.resolve([]),
      groups: [],
    };
    const tasks: Task[] = [];
    if (hits.length > 0) {
      answered.hits = new Promise((resolve) => {
        const call = new HitCall(hits.length, 0, (states) => resolve(states.map(countsOf)));
        for (const [index, hit] of hits.entries()) tasks.push(new HitTask(hit, index, call));
      });
    }
    const windows = undone.map(({ hit, windowsAgo }) => {
      const window = Math.floor(model.nowMs / hit.windowSeconds / 1000) - windowsAgo;
      const { key, windowSeconds, cost } = hit;
      tasks.push(new CompensationTask({ key, windowSeconds, cost, window }, 0, () => {}));
      return window % 2 ** 20;
    });
    for (const group of groups) {
      tasks.push(
        new GroupTask(group, 0, {
          answered: (answer) => {
            if (isStoreError(answer)) throw new Error(answer.message);
            answered.groups.push({ counts: answer.states.map(countsOf), counted: answer.counted });
          },
          late: () => {},
          split: () => {},
        }),
      );
    }
    const batch = makeBatch(tasks, maxJitterMs);
    settleBatch(batch, await this.#evaluate(batch), 'node');

    expect(await answered.hits).toEqual(hits.map((hit) => model.hit(hit)));
    for (const [index, { hit }] of undone.entries()) {
      model.compensate(hit.key, hit.cost, windows[index] as number);
    }
    expect(answered.groups).toEqual(groups.map((group) => model.group(group)));
    await this.#compareStored();
  }

  #evaluate(batch: Batch): Promise<unknown> {
    const seconds = Math.floor(this.#model.nowMs / 1000);
    const micros = (this.#model.nowMs % 1000) * 1000 + 7;
    return this.#redis.client.eval(this.#source, 2, seconds, micros, ...batch.args);
  }

  async #compareStored(): Promise<void> {
    const { client } = this.#redis;
    for (const { key, seconds } of keys) {
      const expected = this.#model.stored.get(key);
      if (expected === 'list') continue;
      const text = expected === undefined || 'text' in expected ? expected?.text : textOfCounter(expected);
      expect({ key, text: await client.get(key) }).toEqual({ key, text: text ?? null });
      const end = this.#model.ends.get(key);
      if (end === undefined) continue;
      const expiry = Number(await client.call('PEXPIRETIME', key));
      expect(expiry).toBeGreaterThanOrEqual(end);
      expect(expiry).toBeLessThanOrEqual(end + jitterOf(seconds));
    }
  }
}

function jitterOf(windowSeconds: number): number {
  return windowSeconds < 60 ? 0 : Math.min(maxJitterMs, windowSeconds * 100);
}

function countsOf(state: object): Counts {
  if (isStoreError(state as never)) return 'error';
  const { before, after } = state as { before: number; after: number };
  return { before, after };
}
