import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startWeir } from '../support/start-weir.ts';
import { callRules } from './call-scenarios.ts';
import { runLoad } from './load/run-load.ts';
import { type Measured, type Scenario, scenario } from './measure.ts';
import { processMebibytes } from './process-costs.ts';

const connections = 1_000;
const callsEach = 100;
const million = 1_000_000;

export const memoryScenarios: readonly Scenario[] = [
  scenario(
    `${connections.toLocaleString('en')} connections x ${callsEach} open calls, native`,
    measureOpenCalls,
  ),
  scenario('1 and 10 million calls, native', measureManyCalls),
];

/** Calls whose message has not come yet: each has its place in the server. */
async function measureOpenCalls(): Promise<Measured> {
  const env = { BACKEND_TYPE: 'memory', GRPC_TRANSPORT: 'native', GRPC_RECEIVE_TIMEOUT: '10m' };
  await using weir = await startWeir({ env, rules: callRules });
  await sleep(1_000);
  const idle = processMebibytes(weir.pid);
  const program = fileURLToPath(new URL('open-calls-process.ts', import.meta.url));
  const args = [program, weir.address('grpc'), String(connections), String(callsEach)];
  const clients = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await once(clients.stdout, 'data');
    const open = processMebibytes(weir.pid);
    return noted(
      `${idle.toFixed(0)} MiB idle, ${(open - idle).toFixed(0)} MiB more with ${connections * callsEach} open calls`,
    );
  } finally {
    clients.stdin.end();
    await once(clients, 'exit');
  }
}

async function measureManyCalls(): Promise<Measured> {
  const env = { BACKEND_TYPE: 'memory', GRPC_TRANSPORT: 'native' };
  await using weir = await startWeir({ env, rules: callRules });
  const send = (calls: number) => runLoad({ target: weir.address('grpc'), calls });
  await send(million);
  const after1 = processMebibytes(weir.pid);
  await send(9 * million);
  const after10 = processMebibytes(weir.pid);
  return noted(`${after1.toFixed(0)} MiB after 1 million, ${after10.toFixed(0)} MiB after 10 million`);
}

function noted(note: string): Measured {
  return { decisionsPerSecond: Number.NaN, serviceMicros: Number.NaN, note };
}
