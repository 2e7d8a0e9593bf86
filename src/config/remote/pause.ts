import { setTimeout as delay } from 'node:timers/promises';

/** Waits this long, or until the signal. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => {});
}
