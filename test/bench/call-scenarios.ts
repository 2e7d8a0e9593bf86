import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seriesOf } from '../support/exposition.ts';
import { httpCall } from '../support/http-call.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { redisCpuMs } from './decide-scenarios.ts';
import { expectAnswers, type Load, processCpuMs, runH2load } from './h2load.ts';
import { type Measured, medianRound, rounds, type Scenario } from './measure.ts';
import { rulesText } from './rules.ts';

const loads: readonly Load[] = [
  { connections: 4, streams: 50, descriptors: 1 },
  { connections: 4, streams: 50, descriptors: 3 },
  { connections: 1, streams: 1, descriptors: 1 },
];

/** A server that is measured: Weir, or with `--target` another. */
export interface Target {
  readonly address: string;
  /** Its process; without one its CPU is not measured. */
  readonly pid: number | undefined;
  readonly redis?: RedisServer;
  readonly weir?: RunningWeir;
}

/** Rules for the users that the load names. */
export const callRules = { 'bench.yaml': rulesText([{ levels: [['user', '']], matching: [] }]) };

export const callScenarios: readonly Scenario[] = [
  ...loads.map((load) => ({
    name: `gRPC calls on memory, ${loadText(load)}`,
    run: async () => {
      await using weir = await startWeir({
        env: { BACKEND_TYPE: 'memory', LOG_LEVEL: 'info' },
        rules: callRules,
      });
      return await measureCalls({ address: weir.address('grpc'), pid: weir.pid, weir }, load);
    },
  })),
  ...loads.map((load) => ({
    name: `gRPC calls on Redis, ${loadText(load)}`,
    run: async () => {
      await using redis = await startRedis();
      const env = { BACKEND_TYPE: 'redis', REDIS_TYPE: 'SINGLE', REDIS_URL: redis.address };
      await using weir = await startWeir({ env, rules: callRules });
      return await measureCalls({ address: weir.address('grpc'), pid: weir.pid, redis, weir }, load);
    },
  })),
];

/** The same load on a server that runs already, with the rules of `callRules`. */
export function targetScenarios(target: Target): readonly Scenario[] {
  return loads.map((load) => ({
    name: `gRPC calls on ${target.address}, ${loadText(load)}`,
    run: () => measureCalls(target, load),
  }));
}

function loadText({ connections, streams, descriptors }: Load): string {
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  return `${count(connections, 'connection')} x ${count(streams, 'stream')}, ${count(descriptors, 'descriptor')}`;
}

const roundSeconds = 3;

async function measureCalls(target: Target, load: Load): Promise<Measured> {
  await expectAnswers(target.address, load.descriptors);
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-'));
  try {
    const send = (calls: number) => runH2load({ ...load, target: target.address, calls, folder });
    const warmUp = load.streams === 1 ? 2_000 : 40_000;
    await send(warmUp);
    const calls = Math.ceil((warmUp / (await send(warmUp))) * roundSeconds);
    const measured: Measured[] = [];
    for (let round = 0; round < rounds; round++) measured.push(await measureRound(target, send, calls));
    return medianRound(measured);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureRound(
  target: Target,
  send: (calls: number) => Promise<number>,
  calls: number,
): Promise<Measured> {
  const before = await readCosts(target);
  const seconds = await send(calls);
  const after = await readCosts(target);
  const micros = (from: number, to: number) => ((to - from) / calls) * 1000;
  return {
    decisionsPerSecond: calls / seconds,
    serviceMicros: micros(before.serviceMs, after.serviceMs),
    ...(target.redis === undefined
      ? {}
      : {
          redisMicros: micros(before.redisMs, after.redisMs),
          hitsPerCall: (after.hits - before.hits) / (after.scriptCalls - before.scriptCalls),
        }),
  };
}

async function readCosts({ pid, redis, weir }: Target) {
  const series = weir === undefined ? new Map<string, number>() : await readSeries(weir);
  const sum = (name: string) =>
    [...series].reduce((total, [key, value]) => (key.split('{')[0] === name ? total + value : total), 0);
  return {
    serviceMs: pid === undefined ? Number.NaN : processCpuMs(pid),
    redisMs: await redisCpuMs(redis === undefined ? [] : [redis]),
    hits: sum('weir_store_script_hits_total'),
    scriptCalls: sum('weir_store_script_calls_total'),
  };
}

async function readSeries(weir: RunningWeir): Promise<ReadonlyMap<string, number>> {
  const { body } = await httpCall({ address: weir.address('metrics'), path: '/metrics' });
  return seriesOf(body);
}
