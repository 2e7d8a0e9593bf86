/**
 * Sends load to a rate-limit service and prints what came of it as one line of JSON.
 *
 *     node test/bench/load/generate.ts --target HOST:PORT --calls 200000 [--connections 4] [--streams 50]
 *     node test/bench/load/generate.ts --target HOST:PORT --mode open --rate 5000 --seconds 5
 *
 * Also: --keys 1000 or --same-key, --descriptors 1, --no-timeout (without `grpc-timeout`), --seed 1, and
 * --warm-up-seconds 0. The service needs a limit for the key `user` in the domain `bench`.
 */
import { seededRandom } from '../measure.ts';
import { openArrivalClock } from './arrival-clock.ts';
import { poissonArrivals } from './arrivals.ts';
import { LoadRun, type Tally } from './load.ts';
import type { LoadResult } from './load-result.ts';
import { closedPace, openPace, type Span } from './pace.ts';
import { prepareCalls } from './prepared-calls.ts';
import { type LoadSettings, parseSettings } from './settings.ts';

console.log(JSON.stringify(await measure(parseSettings(process.argv.slice(2)))));

async function measure(settings: LoadSettings): Promise<LoadResult> {
  const load = openLoad(settings);
  try {
    await load.connected();
    const warmUp =
      settings.warmUpSeconds === 0
        ? undefined
        : await runOnce(load, settings, { calls: Number.POSITIVE_INFINITY, seconds: settings.warmUpSeconds });
    const cpu = process.cpuUsage();
    const tally = await runOnce(load, settings, settings);
    const { user, system } = process.cpuUsage(cpu);
    return { ...resultOf(tally, user + system), warmUpCalls: warmUp?.calls ?? 0, opened: load.opened };
  } finally {
    load.close();
  }
}

function openLoad(settings: LoadSettings): LoadRun {
  const colon = settings.target.lastIndexOf(':');
  const random = seededRandom(~settings.seed); // not the numbers that also make the arrivals
  return new LoadRun({
    host: settings.target.slice(0, colon),
    port: Number(settings.target.slice(colon + 1)),
    connections: settings.connections,
    streams: settings.streams,
    calls: prepareCalls(settings),
    nextKey: () => Math.floor(random() * settings.keys),
  });
}

async function runOnce(load: LoadRun, { mode, rate, seed }: LoadSettings, span: Span): Promise<Tally> {
  if (mode === 'closed') return await load.run(closedPace(span));
  await using clock = await openArrivalClock(rate, seed);
  clock.start(() => load.sendDue());
  return await load.run(openPace(poissonArrivals(rate, seed), span));
}

function resultOf({ calls, failed, seconds, latencies, delays }: Tally, cpuMicros: number) {
  return {
    calls,
    failed,
    seconds,
    callsPerSecond: (calls - failed) / seconds,
    p50: latencies.quantile(0.5),
    p99: latencies.quantile(0.99),
    p999: latencies.quantile(0.999),
    max: latencies.max,
    delayP50: delays.quantile(0.5),
    delayP99: delays.quantile(0.99),
    generatorCpuMicrosPerCall: cpuMicros / calls,
  };
}
