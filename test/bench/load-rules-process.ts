/** Loads a directory of rules as the service does, in a process of its own, and prints what that cost as JSON. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConfigLoader } from '../../src/config/config-loader.ts';
import { readRulesDirectory } from '../../src/config/read-directory.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { LoadCosts } from './load-scenarios.ts';
import { cpuMsSince } from './measure.ts';

const [directory = ''] = process.argv.slice(2);
const loader = createConfigLoader({
  mergeDomains: false,
  keyPrefix: '',
  clock: systemClock,
  onLoad: () => {},
});
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
await sleep(100); // so that the start of the process is not in the histogram
delay.reset();

const cpu = process.cpuUsage();
const start = performance.now();
const result = await loader.apply(await readRulesDirectory(directory, { ignoreDotFiles: true }));
const seconds = (performance.now() - start) / 1000;
if (result.kind !== 'applied') throw new Error(JSON.stringify(result));

const costs: LoadCosts = {
  seconds,
  cpuSeconds: cpuMsSince(cpu) / 1000,
  mebibytes: process.resourceUsage().maxRSS / 1024,
  lagMs: delay.percentile(99.9) / 1e6,
};
console.log(JSON.stringify(costs));
