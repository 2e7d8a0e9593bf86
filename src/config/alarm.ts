/** Wakes one waiter, at once or as soon as it waits. */
export interface Alarm {
  ring(): void;
  /** Until it rings, has rung since the last wait, the time is over, or the signal ends it. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export function createAlarm(): Alarm {
  let hasRung = false;
  let wake: (() => void) | undefined;

  function ring(): void {
    hasRung = true;
    wake?.();
  }

  async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    wake = end;
    if (hasRung || signal.aborted) end();
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    wake = undefined;
    hasRung = false;
  }

  return { ring, wait };
}
