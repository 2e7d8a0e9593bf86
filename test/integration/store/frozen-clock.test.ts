import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCalendar } from '../../../src/domain/calendar.ts';
import {
  type Counting,
  calendarWindow,
  slidingWindow,
  type TokenBucket,
  tokenBucket,
} from '../../../src/domain/counting.ts';
import type { CounterState } from '../../../src/store/counter-store.ts';
import { makeBatch, settleBatch } from '../../../src/store/redis/batch.ts';
import { countAny } from '../../../src/store/redis/scripts.gen.ts';
import { HitCall, HitTask } from '../../../src/store/redis/task.ts';
import { freshKey, hitOn } from '../../case/counter-store.case.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { withTimeFromTest } from '../../support/script-with-time.ts';

const source = withTimeFromTest(countAny.source);

/** Times are years ahead, as Redis would else let keys expire that have ended by its own clock. */
describeWithTools(['redis-server'], 'the script at a time that the test sets', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  /** So many hits of 1 on one counter at this time: how many are within 10, and the seconds until the reset of the last. */
  async function hits(key: string, counting: Counting, time: string, count: number) {
    const nowMs = Date.parse(time);
    const states = Promise.withResolvers<readonly CounterState[]>();
    const call = new HitCall(count, 0, (result) => states.resolve(result.states as readonly CounterState[]));
    const tasks = Array.from({ length: count }, (_, index) => {
      return new HitTask(hitOn(key, 1, { counting }), index, call);
    });
    const { args, ...batch } = makeBatch(tasks, { maxJitterMs: 0, serverMs: nowMs });
    const micros = (nowMs % 1000) * 1000;
    const reply = await redis.client.eval(source, 2, Math.floor(nowMs / 1000), micros, ...args);
    settleBatch({ ...batch, args }, reply, 'node');
    const answered = await states.promise;
    const last = answered.at(-1) as CounterState;
    return [answered.filter(({ after }) => after <= 10).length, Math.ceil(last.msUntilReset / 1000)];
  }

  it.each<[string, Counting, number[][]]>([
    // What was denied counts as well, so that the next hit has room when all but 9 of it have left the window.
    [
      'a sliding window',
      slidingWindow(60),
      [
        [10, 61],
        [0, 66],
      ],
    ],
    [
      'a bucket of tokens',
      tokenBucket(10, 60, 10) as TokenBucket,
      [
        [10, 60],
        [0, 6],
      ],
    ],
  ])('N11: 10 hits before and 10 after the edge of a minute, by %s', async (_, counting, expected) => {
    const key = freshKey(counting.id);
    const before = await hits(key, counting, '2046-01-01T00:00:59.900Z', 10);
    const after = await hits(key, counting, '2046-01-01T00:01:00.100Z', 10);
    expect([before, after]).toEqual(expected);
  });

  it.each([
    ['MONTH', 'UTC', '2046-02-28T23:59:59Z', 1, '2046-03-01T00:00:00Z', 31 * 86_400],
    ['MONTH', 'UTC', '2048-02-29T23:59:59Z', 1, '2048-03-01T00:00:00Z', 31 * 86_400],
    ['WEEK', 'UTC', '2046-03-04T23:59:59Z', 1, '2046-03-05T00:00:00Z', 7 * 86_400],
    ['DAY', 'Europe/Berlin', '2046-03-24T22:59:59Z', 1, '2046-03-24T23:00:00Z', 23 * 3_600],
    ['DAY', 'Europe/Berlin', '2046-10-27T21:59:59Z', 1, '2046-10-27T22:00:00Z', 25 * 3_600],
  ] as const)('N13: a %s in %s ends at %s', async (unit, zone, end, left, begin, length) => {
    const counting = calendarWindow(createCalendar(unit, zone));
    const key = freshKey(counting.id);
    expect(await hits(key, counting, end, 10)).toEqual([10, left]);
    expect(await hits(key, counting, begin, 10)).toEqual([10, length]);
  });
});
