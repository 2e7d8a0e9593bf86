import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsSince } from './measure.ts';

/** What loading a configuration cost. */
export interface LoadCosts {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most memory that the process had, all of Node included. */
  readonly mebibytes: number;
  /** How late the loop was at the worst of a thousand moments, in ms. */
  readonly lagMs: number;
}

/** Measures one load, in a process that does nothing else. */
export async function measureLoad(load: () => Promise<void>): Promise<LoadCosts> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(100); // so that the start of the process is not in the histogram
  delay.reset();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await load();
  return {
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: cpuMsSince(cpu) / 1000,
    mebibytes: process.resourceUsage().maxRSS / 1024,
    lagMs: delay.percentile(99.9) / 1e6,
  };
}
