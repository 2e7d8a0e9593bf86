import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWeir } from '../support/start-weir.ts';
import { callRules } from './call-scenarios.ts';
import { expectAnswers, runH2load } from './h2load.ts';
import { runLoad } from './load/run-load.ts';
import { medianRound, type Row, rounds, type Scenario } from './measure.ts';

const load = { connections: 4, streams: 50, descriptors: 1 };
/** Slow enough that the generators are not what is measured. */
const transport = 'grpc-js';
const calls = 60_000;
/** As h2load sends it: a request for each connection, and no timeout, for which grpc-js would have a timer. */
const same = { keys: load.connections, isWithTimeout: false };

/** Whether the own load generator tells the same as a known one. */
export const h2loadScenarios: readonly Scenario[] = [
  { name: 'the load generator and h2load', run: measureGenerators },
];

async function measureGenerators(): Promise<Row[]> {
  const env = { BACKEND_TYPE: 'memory', LOG_LEVEL: 'info', GRPC_TRANSPORT: transport };
  await using weir = await startWeir({ env, rules: callRules });
  const target = weir.address('grpc');
  await expectAnswers(target, load.descriptors);
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-'));
  const generators = {
    h2load: async () => calls / (await runH2load({ ...load, target, calls, folder })),
    'the load generator': async () => (await runLoad({ ...load, ...same, target, calls })).callsPerSecond,
  };
  try {
    const measured = Object.entries(generators).map(([name, send]) => ({
      name,
      send,
      rates: [] as number[],
    }));
    for (const { send } of measured) await send();
    for (let round = 0; round < rounds; round++)
      for (const { send, rates } of measured) rates.push(await send());
    return measured.map(({ name, rates }) => ({
      name: `calls on memory, ${transport}, as ${name} sees it`,
      measured: medianRound(rates.map((rate) => ({ decisionsPerSecond: rate, serviceMicros: Number.NaN }))),
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
