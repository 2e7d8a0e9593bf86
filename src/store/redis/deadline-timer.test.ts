import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { DeadlineTimer } from './deadline-timer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function fixture(next = Number.POSITIVE_INFINITY) {
  const clock = fakeClock();
  const sweeps: number[] = [];
  const timer = new DeadlineTimer(clock, (now) => {
    sweeps.push(now);
    return next;
  });
  /** Lets time go on, and the loop's round of reads after the timers go by. */
  const pass = async (ms: number, lateMs = 0) => {
    clock.advance(ms + lateMs);
    vi.advanceTimersByTime(ms);
    await turn();
  };
  return { clock, sweeps, timer, pass, start: clock.monotonic() };
}

it('looks at deadlines when the earliest is due, and not before', async () => {
  const { sweeps, timer, pass, start } = fixture();
  timer.watch(start + 250);
  timer.watch(start + 20);
  timer.watch(start + 100);
  await pass(19);
  expect(sweeps).toEqual([]);
  await pass(1);
  expect(sweeps).toEqual([start + 20]);
});

it('goes on with the next deadline that the sweep names', async () => {
  const { sweeps, timer, pass, start } = fixture(1_050);
  timer.watch(start + 20);
  await pass(20);
  await pass(30);
  expect(sweeps).toEqual([start + 20, start + 50]);
});

it('lets reads that wait go first', async () => {
  const { sweeps, timer, start, clock } = fixture();
  timer.watch(start + 20);
  clock.advance(20);
  vi.advanceTimersByTime(20);
  expect(sweeps).toEqual([]);
  await turn();
  expect(sweeps).toHaveLength(1);
});

it('judges deadlines as they stood before the reads, whatever passes until they are done', async () => {
  const { sweeps, timer, start, clock } = fixture();
  timer.watch(start + 20);
  clock.advance(20);
  vi.advanceTimersByTime(20);
  clock.advance(4);
  await turn();
  expect(sweeps).toEqual([start + 20]);
});

it('waits a little longer when the process itself was late, and again when it is late again', async () => {
  const { sweeps, timer, pass, start } = fixture();
  timer.watch(start + 20);
  await pass(20, 30);
  expect(sweeps).toEqual([]);
  await pass(5, 30);
  expect(sweeps).toEqual([]);
  await pass(5);
  expect(sweeps).toEqual([start + 90]);
});

it('is late too when time is lost between the timer and the reads', async () => {
  const { sweeps, timer, pass, start, clock } = fixture();
  timer.watch(start + 20);
  clock.advance(20);
  vi.advanceTimersByTime(20);
  clock.advance(30);
  await turn();
  expect(sweeps).toEqual([]);
  await pass(5);
  expect(sweeps).toEqual([start + 55]);
});

it('looks at deadlines that have seen five extensions in any case, as they stood before these', async () => {
  const { sweeps, timer, pass, start } = fixture();
  timer.watch(start + 20);
  await pass(20, 30);
  for (let extension = 0; extension < 4; extension += 1) await pass(5, 30);
  expect(sweeps).toEqual([]);
  await pass(5, 30); // 225 ms after the start: the next five begin
  expect(sweeps).toEqual([start + 50]);
  for (let extension = 0; extension < 5; extension += 1) await pass(5, 30);
  expect(sweeps).toEqual([start + 50, start + 225]);
  await pass(5);
  expect(sweeps).toEqual([start + 50, start + 225, start + 405]);
});

it('is not brought forward by a new deadline while it is extended', async () => {
  const { sweeps, timer, pass, start } = fixture();
  timer.watch(start + 20);
  await pass(20, 30);
  timer.watch(start + 52);
  await pass(4);
  expect(sweeps).toEqual([]);
  await pass(1);
  expect(sweeps).toEqual([start + 55]);
});

it('does nothing after it was stopped', async () => {
  const { sweeps, timer, pass, start } = fixture();
  timer.watch(start + 20);
  timer.stop();
  await pass(100);
  expect(sweeps).toEqual([]);
});
