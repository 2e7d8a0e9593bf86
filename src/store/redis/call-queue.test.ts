import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { fixedWindow } from '../../domain/counting.ts';
import type { StoreError } from '../store-error.ts';
import type { Batch } from './batch.ts';
import { Breaker } from './breaker.ts';
import { CallQueue, defaultQueueLimits, type QueueContext } from './call-queue.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import { notLocal } from './script-answer.ts';
import type { RedisPoolEvent } from './store-event.ts';
import { HitCall, HitTask, type Task } from './task.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const node = 'a:6379';

/** A queue before a node that answers when the test says so. */
function fixture(
  destination: { redirect?: (tasks: readonly Task[]) => readonly Task[]; breaker?: Breaker } = {},
) {
  const clock = fakeClock();
  const events: RedisPoolEvent[] = [];
  const noticed: StoreError[] = [];
  const calls: { batch: Batch; answer: (reply: unknown) => void }[] = [];
  const active = new Set<CallQueue>();
  const timer = new DeadlineTimer(clock, (readAt) =>
    Math.min(...[...active].map((one) => one.sweep(readAt)), Number.POSITIVE_INFINITY),
  );
  const context: QueueContext = {
    clock,
    limits: { ...defaultQueueLimits, maxHitsPerCall: 1 },
    maxJitterMs: 0,
    onEvent: (event) => events.push(event),
    watch: (deadline) => timer.watch(deadline),
    active,
  };
  const queue = new CallQueue(
    {
      node,
      unavailable: () => undefined,
      breaker: () => destination.breaker,
      send: (batch) => new Promise((answer) => calls.push({ batch, answer })),
      redirect: (tasks, reason) => ({
        tasks: destination.redirect?.(tasks) ?? tasks,
        error: { ...reason, message: 'nowhere' },
      }),
      noticed: (error) => noticed.push(error),
    },
    context,
  );
  /** What became of a hit with this budget. */
  const hit = (budgetMs: number) => {
    const outcome: { state?: object } = {};
    const call = new HitCall(1, clock.monotonic() + budgetMs, ({ states: [state] }) => {
      outcome.state = state as object;
    });
    queue.add(
      new HitTask(
        {
          key: 'k',
          fingerprint: 0,
          counting: fixedWindow(60),
          isPerSecond: false,
          cost: 1,
          limit: 5,
          denies: 'always',
        },
        0,
        call,
      ),
    );
    return outcome;
  };
  /** Time goes by without a turn of the loop, and then the timers that are due expire. */
  const block = (ms: number) => {
    clock.advance(ms);
    vi.advanceTimersByTime(ms);
  };
  /** The node has answered every call so far. */
  const answerAll = () => {
    for (const { answer } of calls.splice(0)) answer([clock.now(), 0]);
  };
  const errors = () => events.filter(({ kind }) => kind === 'error');
  return { clock, queue, calls, errors, noticed, hit, block, answerAll };
}

describe('a deadline', () => {
  it('ends a hit that was sent and had no answer', async () => {
    const { hit, block, errors } = fixture();
    const outcome = hit(20);
    await turn();
    block(20);
    await turn();
    expect(outcome.state).toMatchObject({ kind: 'timeout', node });
    expect(errors()).toMatchObject([{ errorKind: 'timeout', hits: 1 }]);
  });

  it('ends a hit that waits because enough calls are on their way', async () => {
    const { hit, block, calls } = fixture();
    const outcomes = [hit(1_000), hit(1_000), hit(20)];
    await turn();
    expect(calls).toHaveLength(2);
    block(20);
    await turn();
    expect(outcomes.map(({ state }) => state)).toMatchObject([undefined, undefined, { kind: 'timeout' }]);
  });

  it('does not count against a hit that is just about to be sent', async () => {
    const { hit, queue, clock, answerAll } = fixture();
    const outcome = hit(20);
    clock.advance(60);
    queue.sweep(clock.monotonic());
    expect(outcome.state).toBeUndefined();
    await turn();
    answerAll();
    await turn();
    expect(outcome.state).toMatchObject({ after: 1 });
  });

  it('does not count against a call until its answer could have been read', async () => {
    const { hit, queue, clock } = fixture();
    const outcome = hit(20);
    await turn();
    const sentAt = clock.monotonic();
    expect(queue.sweep(sentAt)).toBe(sentAt + 20);
    clock.advance(60);
    const other = hit(-10); // its deadline is over before it is sent
    await turn();
    queue.sweep(clock.monotonic());
    expect(other.state).toBeUndefined();
    expect(outcome.state).toMatchObject({ kind: 'timeout' });
    clock.advance(1);
    queue.sweep(clock.monotonic());
    expect(other.state).toMatchObject({ kind: 'timeout' });
  });

  it.each([3, 5, 6, 20])('pauses of the process with %i ms between fail no hit', async (gap) => {
    const { hit, block, answerAll, errors } = fixture();
    for (const isBeforeSending of [true, false]) {
      for (let pause = 0; pause < 20; pause += 1) {
        const outcome = hit(18);
        if (!isBeforeSending) await turn();
        block(60);
        answerAll(); // what was sent before the pause is answered by now
        await turn();
        block(2);
        await turn();
        block(2);
        answerAll(); // what was sent after it is answered in 4 ms
        await turn();
        expect(outcome.state).toMatchObject({ after: 1 });
        block(gap);
        await turn();
      }
    }
    expect(errors()).toEqual([]);
  });
});

describe('hits that belong elsewhere', () => {
  it('get an error when there is no place for them, which is counted and told', async () => {
    const { hit, calls, errors, noticed, clock } = fixture();
    const outcome = hit(20);
    await turn();
    calls[0]?.answer([clock.now(), notLocal]);
    await turn();
    expect(outcome.state).toEqual({ kind: 'cluster', message: 'nowhere', node });
    expect(errors()).toEqual([{ kind: 'error', node, errorKind: 'cluster', hits: 1, message: 'nowhere' }]);
    expect(noticed).toHaveLength(1);
  });

  it('are no errors when there is', async () => {
    const taken: Task[] = [];
    const redirect = (tasks: readonly Task[]) => {
      taken.push(...tasks);
      return [];
    };
    const { hit, calls, errors, clock } = fixture({ redirect });
    const outcome = hit(20);
    await turn();
    calls[0]?.answer([clock.now(), notLocal]);
    await turn();
    expect(taken).toHaveLength(1);
    expect(outcome.state).toBeUndefined();
    expect(errors()).toEqual([]);
  });
});

describe('a breaker', () => {
  /** One whose node has left twenty hits without an answer. */
  async function opened() {
    const states: string[] = [];
    const breaker = new Breaker({ node, onChange: ({ to }) => states.push(to) });
    const queue = fixture({ breaker });
    const unanswered = Array.from({ length: 20 }, () => queue.hit(20));
    await turn();
    queue.block(20);
    await turn();
    expect(unanswered.map(({ state }) => state)).toMatchObject(unanswered.map(() => ({ kind: 'timeout' })));
    expect(states).toEqual(['open']);
    return { ...queue, states };
  }

  it('that opened has hits refused at once, those that waited too', async () => {
    const breaker = new Breaker({ node, onChange: () => {} });
    const { hit, block } = fixture({ breaker });
    const unanswered = Array.from({ length: 20 }, () => hit(20));
    const patient = hit(1_000);
    await turn();
    block(20);
    await turn();
    expect(unanswered[0]?.state).toMatchObject({ kind: 'timeout' });
    expect(patient.state).toMatchObject({ kind: 'breaker', node });
    expect(hit(1_000).state).toMatchObject({ kind: 'breaker', node });
  });

  it('lets nothing through while calls without an answer take all places', async () => {
    const { hit, block, calls } = await opened();
    block(1_000);
    expect(hit(20).state).toMatchObject({ kind: 'breaker' });
    expect(calls).toHaveLength(2);
  });

  it('lets one call through after a second, and closes when that is answered', async () => {
    const { hit, block, answerAll, states, calls } = await opened();
    answerAll(); // late: it tells nothing of how fast the node is
    await turn();
    expect(hit(20).state).toMatchObject({ kind: 'breaker' });
    block(1_000);
    const probe = hit(20);
    const other = hit(20); // more than fits into the call
    await turn();
    expect(calls).toHaveLength(1);
    expect(other.state).toMatchObject({ kind: 'breaker' });
    expect(states).toEqual(['open', 'half-open']);
    answerAll();
    await turn();
    expect(probe.state).toMatchObject({ after: 1 });
    expect(states).toEqual(['open', 'half-open', 'closed']);
    hit(20);
    await turn();
    expect(calls).toHaveLength(1);
  });

  it('stays open for another second when that call has no answer either', async () => {
    const { hit, block, answerAll, states } = await opened();
    answerAll();
    await turn();
    block(1_000);
    const probe = hit(20);
    await turn();
    block(20);
    await turn();
    expect(probe.state).toMatchObject({ kind: 'timeout' });
    expect(states).toEqual(['open', 'half-open', 'open']);
    expect(hit(20).state).toMatchObject({ kind: 'breaker' });
  });
});
