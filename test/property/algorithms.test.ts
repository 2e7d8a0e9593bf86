import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { windowNumber } from '../../src/algorithm/count-hit.ts';
import type { Adjustment } from '../../src/domain/adjustment.ts';
import { fixedWindow } from '../../src/domain/counting.ts';
import type { Hit } from '../../src/domain/hit.ts';
import { makeBatch, settleBatch } from '../../src/store/redis/batch.ts';
import { hitGroup } from '../../src/store/redis/hit-group.ts';
import { storedKeys } from '../../src/store/redis/script-arguments.ts';
import { adjustCounter, countAny, countAnyPlain } from '../../src/store/redis/scripts.gen.ts';
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
import { AlgorithmModel, type State } from '../support/algorithm-model.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { withTimeFromTest } from '../support/script-with-time.ts';
import { type AlgorithmStep, anyAlgorithmStep, anyMoment, countedKeys } from './algorithm-steps.ts';

const maxJitterMs = 300_000;
const adjustSource = withTimeFromTest(adjustCounter.source);

describeWithTools(['redis-server'], 'lua/count_any.lua equals the reducers', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  for (const script of [countAny, countAnyPlain]) {
    it(`on random histories: ${script.name}`, async () => {
      const source = withTimeFromTest(script.source);
      const property = fc.asyncProperty(
        anyMoment,
        fc.array(anyAlgorithmStep, { minLength: 3, maxLength: 25 }),
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

/** Does each step to Redis and to the model, and compares the answers. */
class History {
  readonly #redis: RedisServer;
  readonly #source: string;
  readonly #model: AlgorithmModel;

  constructor(redis: RedisServer, source: string, startMs: number) {
    this.#redis = redis;
    this.#source = source;
    this.#model = new AlgorithmModel(startMs);
  }

  async run(step: AlgorithmStep): Promise<void> {
    const { client } = this.#redis;
    const model = this.#model;
    switch (step.do) {
      case 'wait':
        model.nowMs += step.ms;
        await this.#expire();
        return;
      case 'remove':
        await client.del(step.keys);
        model.remove(step.key);
        return;
      case 'list':
        await client.del(step.keys);
        model.remove(step.key);
        for (const key of step.keys) await client.rpush(key, 'x');
        model.lists.add(step.key);
        return;
      case 'denied-elsewhere':
        await this.#deniedElsewhere(step.hits);
        return;
      case 'adjust':
        await this.#adjust(step.hit, step.adjustment);
        break;
      case 'call':
        await this.#call(step);
    }
    await this.#compareExpiry();
  }

  async #call({ hits, undone, groups }: Extract<AlgorithmStep, { do: 'call' }>): Promise<void> {
    const model = this.#model;
    const singles = Promise.withResolvers<State[]>();
    const answers: { states: State[]; counted: boolean }[] = [];
    const call = new HitCall(hits.length, 0, ({ states }) => singles.resolve(states.map(stateOf)));
    const tasks: Task[] = hits.map((hit, index) => new HitTask(hit, index, call));
    const windows = undone.map(({ hit: { key, counting, cost }, lowest, windowsAgo }) => {
      const window = windowNumber(counting, model.nowMs) - windowsAgo;
      tasks.push(new CompensationTask({ key, counting, cost, lowest, window }, 0, () => {}));
      return window;
    });
    for (const group of groups) {
      tasks.push(
        new GroupTask(group, 0, {
          answered: (answer) => {
            if (isStoreError(answer)) throw new Error(answer.message);
            answers.push({ states: answer.states.map(stateOf), counted: answer.counted });
          },
          late: () => {},
          split: () => {},
        }),
      );
    }
    await this.#execute(tasks);
    if (hits.length > 0) expect(await singles.promise).toEqual(hits.map((hit) => model.hit(hit)));
    for (const [index, { hit, lowest }] of undone.entries()) {
      model.compensate(hit, lowest, windows[index] as number);
    }
    expect(answers).toEqual(groups.map((group) => model.group(group)));
  }

  /** A request that this node counts and another denies, so that what it counted here is given back. */
  async #deniedElsewhere(hits: readonly Hit[]): Promise<void> {
    const { nowMs } = this.#model;
    const counting = fixedWindow(60);
    const denier: Hit = {
      ...{ key: 'elsewhere', fingerprint: -1, counting, isPerSecond: false },
      ...{ cost: 1, limit: 0, denies: 'always' },
    };
    const denial = {
      ...{ states: [{ before: 0, after: 1, msUntilReset: 1 }], counted: false },
      ...{ nowMs, node: 'other' },
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
    expect(states.slice(0, -1).map(stateOf)).toEqual(this.#model.groupDeniedElsewhere(hits));
    await this.#execute(sent);
  }

  /** Has tasks done in one call. */
  async #execute(tasks: readonly Task[]): Promise<void> {
    if (tasks.length === 0) return;
    const batch = makeBatch(tasks, { maxJitterMs, serverMs: this.#model.nowMs });
    if (batch.script === 'count_fixed_windows') expect.fail('nothing for this script');
    settleBatch(batch, await this.#eval(this.#source, batch.args), 'node');
  }

  async #adjust(hit: Hit, adjustment: Adjustment): Promise<void> {
    const call = (args: readonly string[]) => this.#eval(adjustSource, args);
    const state = await adjustAt(this.#model.nowMs, { hit, adjustment }, call);
    expect(stateOf(state)).toEqual(this.#model.adjust(hit, adjustment));
  }

  #eval(source: string, args: readonly string[]): Promise<unknown> {
    const { nowMs } = this.#model;
    const micros = (nowMs % 1000) * 1000 + 7;
    return this.#redis.client.eval(source, 2, Math.floor(nowMs / 1000), micros, ...args);
  }

  /** The test's time is years ahead of the server's, which lets nothing expire by itself. */
  async #expire(): Promise<void> {
    for (const { key, counting } of countedKeys) {
      for (const stored of storedKeys({ key, counting })) {
        const expiry = Number(await this.#redis.client.call('PEXPIRETIME', stored));
        if (expiry < 0 || expiry > this.#model.nowMs) continue;
        await this.#redis.client.del(stored);
        this.#model.expired(key, stored);
      }
    }
  }

  /** What the model still counts is kept. */
  async #compareExpiry(): Promise<void> {
    const { nowMs } = this.#model;
    for (const counted of countedKeys) {
      for (const [stored, end] of this.#model.endsOf(counted)) {
        if (end <= nowMs) continue;
        const expiry = Number(await this.#redis.client.call('PEXPIRETIME', stored));
        expect({ stored, expiry, end, isKept: expiry >= end }).toMatchObject({ isKept: true });
      }
    }
  }
}

function stateOf(state: object): State {
  return isStoreError(state as never) ? 'error' : (state as Exclude<State, 'error'>);
}
