import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { countingRules } from '../../support/case-rules.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { type Replica, redisLimiter, standalone } from './redis-limiter.ts';

/** Long windows, so that none ends in the middle of a test. */
const yaml = countingRules.replaceAll('unit: minute', 'unit: day');
const dayAndAHalfMs = 36 * 3_600_000;

describeWithTools(['redis-server'], 'counting on Redis', () => {
  let redis: RedisServer;
  const replicas: Replica[] = [];

  beforeAll(async () => {
    redis = await startRedis();
  });
  beforeEach(() => redis.client.flushall());
  afterAll(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
    await redis?.stop();
  });

  async function replica(options: Partial<Parameters<typeof redisLimiter>[0]> = {}): Promise<Replica> {
    const made = await redisLimiter({ yaml, topology: standalone(redis.port), ...options });
    replicas.push(made);
    return made;
  }

  /** Commands that Redis has executed since the last look, by name, without those of the test. */
  async function commands(): Promise<Record<string, number>> {
    const stats = await redis.client.info('commandstats');
    const calls = [...stats.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)].map(([, name, number]) => [
      name,
      Number(number),
    ]);
    await redis.client.config('RESETSTAT');
    return Object.fromEntries(calls);
  }

  it('N02: with four replicas and fifty callers exactly the limit is used, and no budget is lost', async () => {
    const four = await Promise.all(Array.from({ length: 4 }, () => replica({ countDenied: false })));
    const callers = Array.from({ length: 50 }, (_, i) => four[i % 4] as Replica);
    const answers = await Promise.all(callers.map((one) => one.decide(['group=g', 'special=s'])));
    expect(answers.filter(({ overallCode }) => overallCode === 'OK')).toHaveLength(3);
    const group = await Promise.all(callers.map((one) => one.decide(['group=g'])));
    expect(group.filter(({ overallCode }) => overallCode === 'OK')).toHaveLength(7);
  });

  it.each([
    ['on', { maxBytes: 1_000_000, lookAgainMs: 500 }],
    ['off', undefined],
  ])(
    'N10: three replicas in turn allow exactly one of thirty, with the deny cache %s',
    async (_, denyCache) => {
      const three = await Promise.all(Array.from({ length: 3 }, () => replica({ denyCache })));
      const codes = [];
      for (let i = 0; i < 30; i++)
        codes.push((await (three[i % 3] as Replica).decide(['one=x'])).overallCode);
      expect(codes.filter((code) => code === 'OK')).toHaveLength(1);
    },
  );

  it('N15: two replicas whose clocks differ by more than a window share it, as it is the one of Redis', async () => {
    const late = { ...systemClock, now: () => Date.now() + dayAndAHalfMs };
    const two = [await replica(), await replica({ clock: late })];
    const codes = [];
    for (let i = 0; i < 10; i++) codes.push((await (two[i % 2] as Replica).decide(['five=x'])).overallCode);
    expect(codes.filter((code) => code === 'OK')).toHaveLength(5);
  });

  it('N16: a decision is one script call, whatever the number of its descriptors', async () => {
    const one = await replica();
    await one.decide(['one=warm']);
    await commands();
    for (let i = 0; i < 10; i++) await one.decide(['group=g', 'special=s', 'five=x']);
    const { evalsha, eval: evals = 0, ping = 0, ...others } = await commands();
    expect(evalsha).toBe(10);
    expect(evals + ping).toBe(0);
    expect(others['incrby']).toBe(30);
    expect(others['expire'] ?? 0).toBe(0);
  });

  it('N04: looks create no key', async () => {
    const one = await replica();
    for (let i = 0; i < 5; i++) await one.decide(['three=x'], { hits: 0 });
    expect(await redis.client.dbsize()).toBe(0);
  });

  it('N06: hits given back on a missing key create none', async () => {
    const one = await replica();
    const { statuses } = await one.decide(['group=g', 'special=s', 'five=x'], { hits: 5, refund: true });
    expect(statuses.map(({ limitRemaining }) => limitRemaining)).toEqual([10, 3, 5]);
    expect(await redis.client.dbsize()).toBe(0);
  });

  it('C09: an unlimited rule and an unmatched descriptor make no call', async () => {
    const unlimited = 'domain: shop\ndescriptors: [{key: vip, rate_limit: {unlimited: true}}]';
    const one = await replica({ yaml: unlimited });
    await commands();
    const { statuses } = await one.decide(['vip=x', 'none=x']);
    expect(statuses.map(({ limitRemaining }) => limitRemaining)).toEqual([4_294_967_295, 0]);
    expect((await commands())['evalsha']).toBeUndefined();
  });

  it('a key names its counter so that people can read it', async () => {
    const one = await replica();
    await one.decide(['three=x']);
    expect(await redis.client.keys('*')).toEqual(['v1{shop|three=x}3600']);
  });
});
