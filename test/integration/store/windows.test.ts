import { afterAll, beforeAll, expect, it } from 'vitest';
import { windowAt } from '../../../src/algorithm/fixed-window.ts';
import { fixedWindow } from '../../../src/domain/counting.ts';
import type { CounterStore } from '../../../src/store/counter-store.ts';
import { countsOf, freshKey, hitOn, inTime } from '../../case/counter-store.case.ts';
import { textOfCounter } from '../../support/counter-model.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { connectionToPort, observedStore } from '../../support/redis-stores.ts';

const hour = 3_600;

describeWithTools(['redis-server'], 'counters as they lie in Redis', () => {
  let redis: RedisServer;
  let store: CounterStore;
  beforeAll(async () => {
    redis = await startRedis();
    store = observedStore(connectionToPort(redis.port)).store;
    await store.ready;
  });
  afterAll(async () => {
    await store.close();
    await redis.stop();
  });

  const hit = async (key: string, cost: number, windowSeconds = hour) =>
    countsOf(
      (await store.hit([hitOn(key, cost, { counting: fixedWindow(windowSeconds) })], inTime())).states,
    )[0];

  /** Runs again in the rare case that the hour changed meanwhile. */
  const withinOneHour = async (test: (window: number) => Promise<void>) => {
    const before = windowAt(Date.now(), hour);
    await test(before % 2 ** 20).catch(async (error: unknown) => {
      if (windowAt(Date.now(), hour) === before) throw error;
      await test((before + 1) % 2 ** 20);
    });
  };

  it('the value is the window and the count in one integer', () =>
    withinOneHour(async (window) => {
      const key = freshKey();
      await hit(key, 7);
      expect(await redis.client.get(key)).toBe(textOfCounter({ window, count: 7 }));
      await hit(key, -3);
      expect(await redis.client.get(key)).toBe(textOfCounter({ window, count: 4 }));
    }));

  it.each([-1, 1])('a value of another window (%i) counts as 0 and is replaced, with an expiry', (offset) =>
    withinOneHour(async (window) => {
      const key = freshKey();
      const other = textOfCounter({ window: window + offset, count: 9 });
      await redis.client.set(key, other);
      expect(await hit(key, 0)).toEqual({ before: 0, after: 0 });
      expect(await hit(key, -2)).toEqual({ before: 0, after: 0 });
      expect(await redis.client.get(key)).toBe(other);
      expect(await hit(key, 2)).toEqual({ before: 0, after: 2 });
      expect(await redis.client.get(key)).toBe(textOfCounter({ window, count: 2 }));
      expect(await redis.client.pttl(key)).toBeGreaterThan(0);
    }),
  );

  it.each(['9007199254740993', '9223372036854775807', '-1', '1.5', 'text', ''])(
    'N08: "%s" is not a counter, counts as 0 and is replaced',
    async (text) => {
      const key = freshKey();
      await redis.client.set(key, text);
      expect(await hit(key, 0)).toEqual({ before: 0, after: 0 });
      expect(await hit(key, 1)).toEqual({ before: 0, after: 1 });
      expect(await hit(key, 1)).toEqual({ before: 1, after: 2 });
      expect(await redis.client.pttl(key)).toBeGreaterThan(0);
    },
  );

  it('a key of another type is an error of its own hits, and stays', async () => {
    const [list, good] = [freshKey(), freshKey()];
    await redis.client.rpush(list, 'x');
    const { states } = await store.hit([hitOn(list, 1), hitOn(good, 1), hitOn(list, 0)], inTime());
    expect(states).toMatchObject([{ kind: 'data' }, { before: 0, after: 1 }, { kind: 'data' }]);
    expect(await redis.client.type(list)).toBe('list');
    const group = await store.hitUnlessDenied([hitOn(list, 1), hitOn(good, 1)], inTime());
    expect(group).toMatchObject({ states: [{ kind: 'data' }, { before: 1, after: 2 }], counted: true });
  });

  it('a key that expired before its window ended counts from 0', async () => {
    const key = freshKey();
    await hit(key, 5);
    await redis.client.pexpire(key, 1);
    await expect.poll(() => redis.client.exists(key)).toBe(0);
    expect(await hit(key, 1)).toEqual({ before: 0, after: 1 });
  });

  it('N16: expiry is set once, by the end of a window of a second, in one script per turn', async () => {
    const key = freshKey(1);
    await redis.client.config('RESETSTAT');
    const calls = Array.from({ length: 1_000 }, () => hit(key, 1, 1));
    await Promise.all(calls);
    const stats = await redis.client.info('commandstats');
    const callsOf = (command: string) =>
      Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
    // A second may end in between, and then there is a new counter.
    expect(callsOf('set')).toBeLessThanOrEqual(2);
    expect(callsOf('evalsha')).toBeLessThanOrEqual(20);
    expect(callsOf('expire') + callsOf('pexpire') + callsOf('pttl')).toBe(0);
    const seconds = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const one = freshKey(1);
        await hit(one, 1, 1);
        return redis.client.pttl(one);
      }),
    );
    expect(seconds).not.toContain(-1); // no expiry
    expect(Math.max(...seconds)).toBeGreaterThan(0);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(1_000);
  });

  it('long windows end spread over a tenth of them and over the greatest jitter, whatever is less', async () => {
    for (const [windowSeconds, spreadMs] of [
      [60, 6_000],
      [86_400, 300_000],
    ] as const) {
      const keys = Array.from({ length: 200 }, () => freshKey(windowSeconds));
      await store.hit(
        keys.map((key) => hitOn(key, 1, { counting: fixedWindow(windowSeconds) })),
        inTime(),
      );
      const ends = await Promise.all(
        keys.map(async (key) => Number(await redis.client.call('PEXPIRETIME', key))),
      );
      const end = Math.floor(Math.min(...ends) / windowSeconds / 1000) * windowSeconds * 1000;
      const beyond = ends.map((one) => one - end);
      expect(Math.max(...beyond)).toBeLessThanOrEqual(spreadMs);
      expect(new Set(beyond).size).toBeGreaterThan(100);
      expect(Math.max(...beyond) - Math.min(...beyond)).toBeGreaterThan(spreadMs / 2);
    }
  });

  it('without jitter every key ends with its window', async () => {
    const plain = observedStore(connectionToPort(redis.port), { expirationJitterMaxSeconds: 0 });
    await plain.store.ready;
    const key = freshKey();
    await plain.store.hit([hitOn(key, 1)], inTime());
    expect(Number(await redis.client.call('PEXPIRETIME', key)) % 3_600_000).toBe(0);
    await plain.store.close();
  });

  it('N15: stores of replicas count in the same windows, by the clock of Redis', async () => {
    // In another window than Redis, whenever the test runs.
    const slow = { now: () => Date.now() - 1.5 * hour * 1_000, monotonic: () => performance.now() };
    const other = observedStore(connectionToPort(redis.port), { clock: slow });
    await other.store.ready;
    const key = freshKey();
    for (let index = 0; index < 5; index += 1) {
      await store.hit([hitOn(key, 1)], inTime());
      await other.store.hit([hitOn(key, 1)], inTime());
    }
    expect(await hit(key, 0)).toEqual({ before: 10, after: 10 });
    await other.store.close();
  });
});
