/**
 * Where the time of a call goes: shares of a CPU profile of the service under load, as a table in Markdown for
 * docs/performance.md.
 *
 *     node test/bench/profile.ts [--descriptors N]
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRedis } from '../support/redis-server.ts';
import { startWeir } from '../support/start-weir.ts';
import { callRules } from './call-scenarios.ts';
import { runLoad } from './load/run-load.ts';
import { type Profile, sharesOf } from './profile-shares.ts';

const { values } = parseArgs({ options: { descriptors: { type: 'string', default: '1' } } });
const descriptors = Number(values.descriptors);
const calls = 600_000;
const warmUpCalls = 120_000;

const onRedis = await sharesOn('Redis');
const onMemory = await sharesOn('memory');
console.log('| Where | on Redis | on memory |\n| --- | ---: | ---: |');
for (const [area, share] of onRedis)
  console.log(`| ${area} | ${percent(share)} | ${percent(onMemory.get(area) ?? 0)} |`);

async function sharesOn(store: 'Redis' | 'memory'): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-profile-'));
  const redis = store === 'Redis' ? await startRedis() : undefined;
  const storeEnv =
    redis === undefined ? { BACKEND_TYPE: 'memory' } : { BACKEND_TYPE: 'redis', REDIS_URL: redis.address };
  const env = { ...storeEnv, LOG_LEVEL: 'info', NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
  try {
    const weir = await startWeir({ env, rules: callRules });
    const load = { target: weir.address('grpc'), descriptors, isWithTimeout: false };
    await runLoad({ ...load, calls: warmUpCalls });
    const from = micros();
    await runLoad({ ...load, calls });
    const to = micros();
    await weir.stop();
    return sharesOf(await largestProfile(folder), from, to);
  } finally {
    await redis?.stop();
    await rm(folder, { recursive: true });
  }
}

/** That of the main thread: there is one for each thread. */
async function largestProfile(folder: string): Promise<Profile> {
  const texts = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
  );
  const [largest] = texts.sort((a, b) => b.length - a.length);
  if (largest === undefined) throw new Error('the service has written no profile');
  return JSON.parse(largest) as Profile;
}

function micros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
