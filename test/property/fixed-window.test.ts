import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { windowNumber } from '../../src/algorithm/count-hit.ts';
import type { Adjustment } from '../../src/domain/adjustment.ts';
import { fixedWindow } from '../../src/domain/counting.ts';
import type { Hit } from '../../src/domain/hit.ts';
import { makeBatch, settleBatch } from '../../src/store/redis/batch.ts';
import { hitGroup } from '../../src/store/redis/hit-group.ts';
import {
  adjustCounter,
  countFixedWindows,
  countFixedWindowsPlain,
} from '../../src/store/redis/scripts.gen.ts';
import {
  CompensationTask,
  GroupTask,
  HitCall,
  HitTask,
  type Task,
  type TaskSink,
} from '../../src/store/redis/task.ts';
import { isStoreError } from '../../src/store/store-error.ts';
import { adjustAt } from '../support/adjust-at.ts';
import { CounterModel, type Counts, textOfCounter } from '../support/counter-model.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { withTimeFromTest } from '../support/script-with-time.ts';
import { anyStart, anyStep, keys, type Step } from './fixed-window-steps.ts';

const maxJitterMs = 300_000;
const adjustSource = withTimeFromTest(adjustCounter.source);

describeWithTools(['redis-server'], 'lua/fixed_window.lua equals the reducer', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  for (const script of [countFixedWindows, countFixedWindowsPlain]) {
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
      case 'denied-elsewhere':
        await this.#deniedElsewhere(step.hits);
        return;
      case 'adjust':
        await this.#adjust(step.hit, step.adjustment);
        return;
      case 'call':
        await this.#call(step);
    }
  }

  /** A request that this node counts and another denies, so that what it counted here is given back. */
  async #deniedElsewhere(hits: readonly Hit[]): Promise<void> {
    const { nowMs } = this.#model;
    const denier: Hit = {
      key: 'elsewhere',
      fingerprint: -1,
      counting: fixedWindow(60),
      isPerSecond: false,
      cost: 1,
      limit: 0,
      denies: 'always',
    };
    const denial = {
      states: [{ before: 0, after: 1, msUntilReset: 1 }],
      counted: false,
      nowMs,
      node: 'other',
    };
    const sent: Task[] = [];
    const here: TaskSink = { add: (task) => sent.push(task) };
    const elsewhere: TaskSink = { add: (task) => task.kind === 'group' && task.settle(denial) };
    const result = hitGroup([...hits, denier], 0, {
      route: ({ key }) => (key === denier.key ? elsewhere : here),
      compensationDeadline: () => 0,
      compensationLost: (node) => expect.fail(`lost on ${node}`),
    });
    await this.#execute(sent.splice(0));
    const { states, counted } = await result;
    expect(counted).toBe(false);
    expect(states.slice(0, -1).map(countsOf)).toEqual(this.#model.groupDeniedElsewhere(hits));
    await this.#execute(sent);
    await this.#compareStored();
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
        const call = new HitCall(hits.length, 0, ({ states }) => resolve(states.map(countsOf)));
        for (const [index, hit] of hits.entries()) tasks.push(new HitTask(hit, index, call));
      });
    }
    const windows = undone.map(({ hit, lowest, windowsAgo }) => {
      const { key, counting, cost } = hit;
      const window = windowNumber(counting, model.nowMs) - windowsAgo;
      tasks.push(new CompensationTask({ key, counting, cost, lowest, window }, 0, () => {}));
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
    await this.#execute(tasks);

    expect(await answered.hits).toEqual(hits.map((hit) => model.hit(hit)));
    for (const [index, { hit, lowest }] of undone.entries()) {
      model.compensate(hit.key, { cost: hit.cost, lowest }, windows[index] as number);
    }
    expect(answered.groups).toEqual(groups.map((group) => model.group(group)));
    await this.#compareStored();
  }

  async #adjust(hit: Hit, adjustment: Adjustment): Promise<void> {
    const { nowMs } = this.#model;
    const call = (args: readonly string[]) => this.#eval(adjustSource, args);
    const state = await adjustAt(nowMs, { hit, adjustment }, call);
    expect(countsOf(state)).toEqual(this.#model.adjust(hit, adjustment));
    await this.#compareStored();
  }

  /** Has tasks done in one call. */
  async #execute(tasks: readonly Task[]): Promise<void> {
    const batch = makeBatch(tasks, { maxJitterMs, serverMs: this.#model.nowMs });
    settleBatch(batch, await this.#eval(this.#source, batch.args), 'node');
  }

  #eval(source: string, args: readonly string[]): Promise<unknown> {
    const { nowMs } = this.#model;
    const micros = (nowMs % 1000) * 1000 + 7;
    return this.#redis.client.eval(source, 2, Math.floor(nowMs / 1000), micros, ...args);
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
