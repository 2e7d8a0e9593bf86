import type { Redis } from 'ioredis';
import type { CallRecord } from './traffic.ts';

/** The books of a fault: what was sent, what was answered, and what the store counted. */
export interface Ledger {
  /** Hits that the store counted more often than they were sent. */
  readonly doubled: number;
  /** Hits that were counted although their calls were told otherwise: in doubt, and never sent again. */
  readonly unanswered: number;
  /** Hits that were answered as counted and are not in the store. */
  readonly lost: number;
}

/** Counts of a rule by the value of its last entry, of all these nodes. */
export async function countsIn(nodes: readonly Redis[], entry = 'ip'): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const pattern = new RegExp(`\\|${entry}=(\\w+)\\}`);
  for (const node of nodes) {
    const keys = await node.keys('*');
    const values = await Promise.all(keys.map((key) => node.get(key)));
    for (const [index, key] of keys.entries()) {
      const value = pattern.exec(key)?.[1];
      if (value === undefined) continue;
      // See the head of lua/fixed_window.lua.
      counts.set(value, (counts.get(value) ?? 0) + (Number(values[index]) % 2 ** 33));
    }
  }
  return counts;
}

export function balance(
  counts: ReadonlyMap<string, number>,
  sent: ReadonlyMap<string, number>,
  records: readonly CallRecord[],
): Ledger {
  const answered = new Map<string, number>();
  for (const { keys, outcome } of records) {
    if (outcome !== 'counted') continue;
    for (const key of keys) answered.set(key, (answered.get(key) ?? 0) + 1);
  }
  const ledger = { doubled: 0, unanswered: 0, lost: 0 };
  for (const key of new Set([...counts.keys(), ...sent.keys()])) {
    const counted = counts.get(key) ?? 0;
    const told = answered.get(key) ?? 0;
    ledger.doubled += Math.max(0, counted - (sent.get(key) ?? 0));
    ledger.unanswered += Math.max(0, Math.min(counted, sent.get(key) ?? 0) - told);
    ledger.lost += Math.max(0, told - counted);
  }
  return ledger;
}
