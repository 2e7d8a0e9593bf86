import { seriesOf } from '../support/exposition.ts';
import { httpCall } from '../support/http-call.ts';
import { startRedis } from '../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import type { LoadResult } from './load/load-result.ts';
import { runLoad } from './load/run-load.ts';
import type { SomeLoadSettings } from './load/settings.ts';
import { type Measured, median, medianRound, type Row, rounds, type Scenario } from './measure.ts';
import { processCpuMs } from './process-costs.ts';
import { rulesText } from './rules.ts';

/** A server that is measured: Weir, or with `--target` another. */
export interface Target {
  readonly name: string;
  readonly address: string;
  /** Its process; without one its CPU is not measured. */
  readonly pid: number | undefined;
  readonly redisPid?: number | undefined;
  readonly weir?: RunningWeir;
}

type Load = Omit<SomeLoadSettings, 'target'>;

/** Rules for the users that the load names. */
export const callRules = { 'bench.yaml': rulesText([{ levels: [['user', '']], matching: [] }]) };

/** A limit that the load has passed long before it is measured, so that the local cache answers. */
const deniedRules = { 'bench.yaml': callRules['bench.yaml'].replace(/\d{10}/, '1') };

const transports = ['native', 'grpc-js'] as const;
type Store = 'memory' | 'Redis';

/** The next call when one is answered. Without a timeout: on a busy machine some calls of a flood would end with it. */
const closed: Load = { mode: 'closed', connections: 4, streams: 50, isWithTimeout: false };

const closedLoops: readonly (readonly [what: string, store: Store, load: Load, rules?: typeof callRules])[] =
  [
    ['on memory, 1 descriptor', 'memory', closed],
    ['on memory, 4 descriptors', 'memory', { ...closed, descriptors: 4 }],
    ['on Redis, 1 descriptor', 'Redis', closed],
    ['on Redis, 4 descriptors', 'Redis', { ...closed, descriptors: 4 }],
    ['on Redis, one key for all', 'Redis', { ...closed, keys: 1 }],
    ['denied from the local cache', 'Redis', closed, deniedRules],
    ['on memory, one call at a time', 'memory', { ...closed, connections: 1, streams: 1 }],
    ['on Redis, one call at a time', 'Redis', { ...closed, connections: 1, streams: 1 }],
  ];

const openLoops: readonly (readonly [rate: number, transports: readonly (typeof transports)[number][]])[] = [
  [1_000, transports],
  [5_000, transports],
  // More than grpc-js can serve.
  [20_000, ['native']],
];

export const callScenarios: readonly Scenario[] = [
  ...closedLoops.map(([what, store, load, rules]) => ({
    name: `calls ${what}`,
    run: () => compare(`calls ${what}`, { store, rules: rules ?? callRules, transports, load }),
  })),
  ...openLoops.map(([rate, among]) => {
    const name = `${rate.toLocaleString('en')} calls/s on Redis, Poisson`;
    const load: Load = { mode: 'open', connections: 4, streams: 1_024, rate };
    return { name, run: () => compare(name, { store: 'Redis', rules: callRules, transports: among, load }) };
  }),
];

/** The same load on a server that runs already, with the rules of `callRules`. */
export function targetScenarios(target: Omit<Target, 'name'>): readonly Scenario[] {
  return closedLoops
    .filter(([, , , rules]) => rules === undefined)
    .map(([what, , load]) => {
      const name = `calls, ${what.replace(/^on \w+, /, '')}`;
      return { name, run: () => measureInTurn(name, [{ ...target, name: target.address }], load) };
    });
}

interface Comparison {
  readonly store: Store;
  readonly rules: Readonly<Record<string, string>>;
  readonly transports: readonly string[];
  readonly load: Load;
}

/** Servers that differ in their transport, side by side on the same machine at the same time. */
async function compare(name: string, { store, rules, transports: among, load }: Comparison): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const targets: Target[] = [];
  for (const transport of among) {
    const redis = store === 'Redis' ? stack.use(await startRedis()) : undefined;
    const env =
      redis === undefined
        ? { BACKEND_TYPE: 'memory' }
        : { BACKEND_TYPE: 'redis', REDIS_TYPE: 'SINGLE', REDIS_URL: redis.address };
    const weir = stack.use(
      await startWeir({ env: { ...env, LOG_LEVEL: 'info', GRPC_TRANSPORT: transport }, rules }),
    );
    targets.push({
      name: transport,
      address: weir.address('grpc'),
      pid: weir.pid,
      redisPid: redis?.pid,
      weir,
    });
  }
  return await measureInTurn(name, targets, load);
}

const roundSeconds = 3;

/** Rounds take turns, so that what else the machine does concerns all targets. */
async function measureInTurn(name: string, targets: readonly Target[], load: Load): Promise<Row[]> {
  for (const target of targets) await runLoad({ ...load, target: target.address, seconds: roundSeconds });
  const measured = targets.map((): Measured[] => []);
  const latencies = targets.map((): LoadResult[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const [costs, result] = await measureRound(target, { ...load, seed: round + 1 });
      measured[index]?.push(costs);
      latencies[index]?.push(result);
    }
  }
  return targets.map((target, index) => ({
    name: `${name}, ${target.name}`,
    measured: { ...medianRound(measured[index] ?? []), note: latencyText(latencies[index] ?? []) },
  }));
}

async function measureRound(target: Target, load: Load): Promise<[Measured, LoadResult]> {
  const before = await readCosts(target);
  const result = await runLoad({ ...load, target: target.address, seconds: roundSeconds });
  const after = await readCosts(target);
  if (result.failed > 0)
    throw new Error(`${result.failed} of ${result.calls} calls failed on ${target.name}`);
  const micros = (from: number, to: number) => ((to - from) / (result.calls + result.warmUpCalls)) * 1000;
  const costs: Measured = {
    decisionsPerSecond: result.callsPerSecond,
    serviceMicros: micros(before.serviceMs, after.serviceMs),
    ...(target.redisPid === undefined
      ? {}
      : {
          redisMicros: micros(before.redisMs, after.redisMs),
          hitsPerCall: (after.hits - before.hits) / (after.scriptCalls - before.scriptCalls),
        }),
  };
  return [costs, result];
}

/** Each percentile is the median of the rounds'. */
function latencyText(results: readonly LoadResult[]): string {
  const of = (name: 'p50' | 'p99' | 'p999') =>
    (median(results.map((result) => result[name])) / 1000).toFixed(2);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const failure = failed === 0 ? '' : `, ${failed} calls failed`;
  return `p50 ${of('p50')} ms, p99 ${of('p99')} ms, p99.9 ${of('p999')} ms${failure}`;
}

async function readCosts({ pid, redisPid, weir }: Target) {
  const series = weir === undefined ? new Map<string, number>() : await readSeries(weir);
  const sum = (name: string) =>
    [...series].reduce((total, [key, value]) => (key.split('{')[0] === name ? total + value : total), 0);
  return {
    serviceMs: pid === undefined ? Number.NaN : processCpuMs(pid),
    redisMs: redisPid === undefined ? Number.NaN : processCpuMs(redisPid),
    hits: sum('weir_store_script_hits_total'),
    scriptCalls: sum('weir_store_script_calls_total'),
  };
}

async function readSeries(weir: RunningWeir): Promise<ReadonlyMap<string, number>> {
  const { body } = await httpCall({ address: weir.address('metrics'), path: '/metrics' });
  return seriesOf(body);
}
