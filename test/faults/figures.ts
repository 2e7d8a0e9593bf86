import type { CallRecord } from './traffic.ts';

/** What the calls of a time add up to. */
export interface Figures {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  /** Share of calls that the store did not decide, 0 to 1. */
  readonly degraded: number;
}

/** Of the calls that began within these times. */
export function figuresOf(records: readonly CallRecord[], from: number, to: number): Figures {
  const within = records.filter(({ startedAt }) => startedAt >= from && startedAt < to);
  const times = within.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const degraded = within.filter(({ outcome }) => outcome !== 'counted').length;
  return {
    calls: within.length,
    p50: at(0.5),
    p99: at(0.99),
    degraded: degraded / Math.max(1, within.length),
  };
}

/** So many calls in a row that the store decided are a recovery. */
const calmCalls = 200;

/** When the store began again to decide every call that began after this moment, in seconds after it; undefined: not yet. */
export function secondsToRecover(records: readonly CallRecord[], healedAt: number): number | undefined {
  const after = records.filter(({ startedAt }) => startedAt >= healedAt);
  after.sort((a, b) => a.startedAt - b.startedAt);
  let first = 0;
  for (const [index, { outcome }] of after.entries()) {
    if (outcome !== 'counted') first = index + 1;
    else if (index - first >= calmCalls) return ((after[first] as CallRecord).startedAt - healedAt) / 1_000;
  }
  return undefined;
}
