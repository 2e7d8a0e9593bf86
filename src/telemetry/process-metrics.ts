import { totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { registerFamily, sampleOf } from './metric-family.ts';

/**
 * What every Node service shows: `process_*` (memory, CPU time, files) and `nodejs_*` (heap, collector, lag of the event
 * loop since the last scrape, of which 10 ms are the measuring timer's own), and how busy the loop is.
 */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  registerFamily(registry, {
    name: 'weir_event_loop_busy_seconds_total',
    help: 'Time the event loop did not wait; its rate is the share of the one thread that is used up.',
    type: 'counter',
    read: () => sampleOf(performance.eventLoopUtilization().active / 1_000),
  });
  registerFamily(registry, {
    name: 'weir_memory_limit_bytes',
    help: "Memory that the process may take: its container's limit, or else the machine's.",
    type: 'gauge',
    read: () => sampleOf(memoryLimit()),
  });
}

function memoryLimit(): number {
  const limit = process.constrainedMemory(); // 0 where that is not known; without a limit more than there is
  return limit === 0 ? totalmem() : Math.min(limit, totalmem());
}
