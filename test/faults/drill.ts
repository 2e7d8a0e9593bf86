import { setTimeout as sleep } from 'node:timers/promises';
import { processMebibytes } from '../bench/process-costs.ts';
import type { RunningWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectations, type FaultReport } from './fault.ts';
import { figuresOf, secondsToRecover } from './figures.ts';
import { seriesOfName } from './scraped-series.ts';
import type { Traffic } from './traffic.ts';

export interface Drill {
  readonly weir: RunningWeir;
  readonly traffic: Traffic;
  /** Makes the fault. What it returns is an end of its own, for faults that pass by themselves. */
  inflict(): Promise<void>;
  /** Ends it. */
  heal(): Promise<void>;
  /** How long it lasts, in ms; 2 s unless given. */
  readonly lastsMs?: number;
  /** false: the store goes on deciding all the while, so that nothing is to be told. */
  readonly isNoticed?: boolean;
}

/** Time before the fault, and after the recovery. */
const calmMs = 1_500;

/** Resident memory may grow by so much: the collector has its own pace, and the process is young. */
const rssGrowthMiB = 96;

/**
 * Traffic before, during and after a fault. What must hold of each: every call has an answer, the service is the same
 * process, recovers by itself, says so in a metric and a line of the log, and its memory does not grow.
 */
export async function drill(options: Drill): Promise<FaultReport> {
  const { weir, traffic, lastsMs = 2_000, isNoticed = true } = options;
  const { hold, broken } = expectations();
  let rssDuring = 0;
  const watch = setInterval(() => {
    rssDuring = Math.max(rssDuring, processMebibytes(weir.pid));
  }, 50);
  try {
    const begun = performance.now();
    await sleep(calmMs);
    const rssBefore = processMebibytes(weir.pid);
    const logBefore = weir.log().length;
    const inflictedAt = performance.now();
    const inflictedOn = Date.now();
    await options.inflict();
    await sleep(lastsMs);
    const healedAt = performance.now();
    await options.heal();
    await waitUntil('a recovery', () => secondsToRecover(traffic.records, healedAt) !== undefined, 60_000);
    await sleep(calmMs);
    const ended = performance.now();
    const rssAfter = processMebibytes(weir.pid);
    await traffic.stop();
    const { records } = traffic;
    const during = figuresOf(records, inflictedAt, healedAt);
    hold(weir.exit === undefined, 'the service ended');
    hold(rssDuring - rssBefore <= rssGrowthMiB, `memory grew by ${(rssDuring - rssBefore).toFixed(0)} MiB`);
    const said = weir.log().find((line, index) => index >= logBefore && saysSo(line));
    if (isNoticed) {
      hold(during.degraded > 0, 'the fault did nothing');
      hold(said !== undefined, 'no line of the log says that limits are not enforced');
      const decided = await seriesOfName(weir, 'weir_degraded_decisions_total{policy="error"}');
      hold(decided > 0, 'no metric says that limits are not enforced');
    }
    return {
      broken,
      note: outcomesOf(traffic, inflictedAt),
      before: figuresOf(records, begun, inflictedAt),
      during,
      after: figuresOf(records, ended - calmMs, ended),
      rss: [rssBefore, rssDuring, rssAfter],
      saidSeconds:
        said === undefined ? undefined : (Date.parse(String(said['@timestamp'])) - inflictedOn) / 1_000,
      recoverySeconds: secondsToRecover(records, healedAt),
    };
  } finally {
    clearInterval(watch);
  }
}

function saysSo(line: Record<string, unknown>): boolean {
  return String(line['@message']).includes('decided by policy');
}

/** How calls ended that the store did not decide. */
function outcomesOf({ records }: Traffic, since: number): string {
  const counts = new Map<string, number>();
  for (const { startedAt, outcome } of records) {
    if (startedAt >= since && outcome !== 'counted') counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
}
