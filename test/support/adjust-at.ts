import type { CounterState } from '../../src/store/counter-store.ts';
import { type Adjusting, adjustOnRedis } from '../../src/store/redis/adjust.ts';
import type { StoreError } from '../../src/store/store-error.ts';

const maxJitterMs = 300_000;

/** Changes a counter as at this time. @param call calls the script with these arguments, as at that time */
export function adjustAt(
  nowMs: number,
  adjusting: Adjusting,
  call: (args: readonly string[]) => Promise<unknown>,
): Promise<CounterState | StoreError> {
  const place = { node: 'node', call: ({ args }: { args: readonly string[] }) => call(args) };
  const clock = { now: () => nowMs, monotonic: () => performance.now() };
  return adjustOnRedis(adjusting, place, { clock, deadline: performance.now() + 10_000, maxJitterMs });
}
