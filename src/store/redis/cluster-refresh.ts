import type { Cluster } from 'ioredis';

/** Slots are looked at again this often in any case. */
const intervalMs = 5_000;

/** On demand they are looked at no more often than this, however many hits fail. */
const leastPauseMs = 250;

/** Has the client learn anew which node has which slot. */
export interface SlotRefresh {
  /** At once, or as soon as the last look is long enough ago. */
  soon(): void;
  stop(): void;
}

export function createSlotRefresh(cluster: Cluster): SlotRefresh {
  let pending: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  const refresh = () => {
    pending = undefined;
    // Until it is ready it is looking for the slots already.
    if (cluster.status !== 'ready') return;
    lastAt = performance.now();
    cluster.refreshSlotsCache();
  };
  const interval = setInterval(refresh, intervalMs);
  interval.unref();
  return {
    soon: () => {
      if (pending !== undefined) return;
      pending = setTimeout(refresh, Math.max(0, lastAt + leastPauseMs - performance.now()));
      pending.unref();
    },
    stop: () => {
      clearInterval(interval);
      clearTimeout(pending);
    },
  };
}
