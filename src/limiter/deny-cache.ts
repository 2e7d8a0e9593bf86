import type { Counting } from '../domain/counting.ts';
import type { Hit } from '../domain/hit.ts';
import type { CounterState } from '../store/counter-store.ts';

/**
 * Remembers counters that are over a limit, so that a flood on one key does not reach the store. Answers only what is
 * certain: the window has not ended, and the count was above the limit of the request at hand, which may bring its own.
 * Now and then one call is let through to look again, so that a refund, a reset or a raised limit elsewhere shows.
 */
export interface DenyCache {
  /** The counter, when a call is to be denied without the store. `now` is monotonic, in ms. */
  find(hit: Hit, now: number): CounterState | undefined;
  /**
   * Takes in what the store answered; `sentAt` is when it was asked, so the window never seems longer than it is.
   * @param counted whether the hit was carried out
   */
  learn(hit: Hit, state: CounterState, counted: boolean, sentAt: number): void;
  forget(key: string): void;
  clear(): void;
  readonly size: number;
}

export interface DenyCacheOptions {
  /** Bound of its memory, by estimate (LOCAL_CACHE_SIZE_IN_BYTES). */
  readonly maxBytes: number;
  /** How long a key is denied before one call looks again, in ms. */
  readonly lookAgainMs: number;
}

interface Remembered {
  count: number;
  /** What stands above the limit was counted; else there is only no room for a hit that takes. */
  isCounted: boolean;
  readonly windowEnd: number;
  lookAgainAt: number;
}

/** Of an entry beside its key: the record, its numbers, the place in the map. Measured, rounded up. */
const entryBytes = 160;

export function createDenyCache({ maxBytes, lookAgainMs }: DenyCacheOptions): DenyCache {
  // In the order in which they were learned: the first is the one to go when there is no room.
  const entries = new Map<string, Remembered>();
  let bytes = 0;

  function forget(key: string): void {
    if (entries.delete(key)) bytes -= key.length + entryBytes;
  }

  function add(key: string, entry: Remembered): void {
    forget(key);
    const size = key.length + entryBytes;
    if (size > maxBytes) return;
    while (bytes + size > maxBytes) forget(entries.keys().next().value as string);
    entries.set(key, entry);
    bytes += size;
  }

  return {
    find({ key, limit, cost }, now) {
      if (entries.size === 0) return undefined;
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (now >= entry.windowEnd) {
        forget(key);
        return undefined;
      }
      if (entry.count <= limit || (cost === 0 && !entry.isCounted)) return undefined;
      if (now >= entry.lookAgainAt) {
        entry.lookAgainAt = now + lookAgainMs;
        return undefined;
      }
      return { before: entry.count, after: entry.count, msUntilReset: entry.windowEnd - now };
    },

    learn(hit, state, counted, sentAt) {
      const { key } = hit;
      if (deniesAll(hit, state, counted)) {
        add(key, {
          count: state.after,
          isCounted: counted && isOfWindows(hit.counting),
          windowEnd: sentAt + state.msUntilReset,
          lookAgainAt: sentAt + lookAgainMs,
        });
        return;
      }
      if (entries.size === 0) return; // looking a key up means to put it together and hash it
      const entry = entries.get(key);
      if (entry !== undefined) entry.count = counted && state.after <= hit.limit ? state.after : state.before;
    },

    forget,

    clear() {
      entries.clear();
      bytes = 0;
    },

    get size() {
      return entries.size;
    },
  };
}

/**
 * Whether every hit that takes is over, until the window ends or the limit resets. What was counted beyond the limit stays so.
 * Else there must have been nothing left for a hit of 1, whose time to wait is then that of all.
 */
function deniesAll({ limit, cost, counting }: Hit, state: CounterState, counted: boolean): boolean {
  if (state.after <= limit) return false;
  return (counted && isOfWindows(counting)) || (cost === 1 && state.before >= limit);
}

/** Until such a window ends, its count does not become less by itself. */
function isOfWindows({ kind }: Counting): boolean {
  return kind === 'fixed_window' || kind === 'calendar_window';
}
