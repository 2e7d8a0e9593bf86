import { expect, it, vi } from 'vitest';
import { createAlarm } from './alarm.ts';

const hour = 3_600_000;

it('ends a wait when it rings', async () => {
  const alarm = createAlarm();
  const wait = alarm.wait(hour, new AbortController().signal);
  alarm.ring();
  await wait;
});

it('ends a wait at once when it rang before, once', async () => {
  vi.useFakeTimers();
  try {
    const alarm = createAlarm();
    const { signal } = new AbortController();
    alarm.ring();
    alarm.ring();
    await alarm.wait(hour, signal);
    let isOver = false;
    const second = alarm.wait(hour, signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(hour - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await second;
  } finally {
    vi.useRealTimers();
  }
});

it('ends a wait at the signal, also at an earlier one', async () => {
  const alarm = createAlarm();
  const stop = new AbortController();
  const wait = alarm.wait(hour, stop.signal);
  stop.abort();
  await wait;
  await alarm.wait(hour, stop.signal);
});
