import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { resourceType } from '../../src/config/xds/resource-type.ts';
import { DiscoveryResponse } from '../../src/gen/envoy/service/discovery/v3/discovery.ts';
import { RateLimitConfig, RateLimitUnit } from '../../src/gen/ratelimit/config/ratelimit/v3/rls_conf.ts';
import { type Measured, type Scenario, scenario } from './measure.ts';
import type { LoadCosts } from './measure-load.ts';
import { type BenchRule, rulesText } from './rules.ts';

const run = promisify(execFile);
const rulesCount = 10_000;
const descriptorsCount = 60_000;

export const loadScenarios: readonly Scenario[] = [
  scenario(`loading ${rulesCount.toLocaleString('en')} rules of YAML`, async () => {
    const rules = Array.from({ length: rulesCount }, (_, index) => ruleAt(index));
    return measured('load-rules-process.ts', async (folder) => {
      await writeFile(join(folder, 'rules.yaml'), rulesText(rules));
      return folder;
    });
  }),
  scenario(`loading ${descriptorsCount.toLocaleString('en')} descriptors of one xDS response`, () =>
    measured('load-resources-process.ts', async (folder) => {
      const file = join(folder, 'response.binpb');
      await writeFile(file, responseOf(descriptorsCount));
      return file;
    }),
  ),
];

/** @param prepare writes what is to be loaded into a folder, and gives the program's argument */
async function measured(program: string, prepare: (folder: string) => Promise<string>): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-load-'));
  try {
    const path = fileURLToPath(new URL(program, import.meta.url));
    const { stdout } = await run(process.execPath, [path, await prepare(folder)]);
    const { seconds, cpuSeconds, mebibytes, lagMs } = JSON.parse(stdout) as LoadCosts;
    return {
      decisionsPerSecond: Number.NaN,
      serviceMicros: Number.NaN,
      note:
        `${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of CPU, ${mebibytes.toFixed(0)} MiB, ` +
        `lag of the loop ${lagMs.toFixed(1)} ms at p99.9`,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One resource whose descriptors are values of one key, as tenants are. */
function responseOf(count: number): Uint8Array {
  const descriptors = Array.from({ length: count }, (_, index) => ({
    key: 'tenant',
    value: `tenant-${index}`,
    rateLimit: { unit: RateLimitUnit.MINUTE, requestsPerUnit: 1 + index },
  }));
  const config = RateLimitConfig.fromPartial({ name: 'bench', domain: 'bench', descriptors });
  const resources = [{ typeUrl: resourceType, value: Buffer.from(RateLimitConfig.encode(config).finish()) }];
  const response = { versionInfo: '1', nonce: '1', typeUrl: resourceType, resources };
  return DiscoveryResponse.encode(response).finish();
}

/** A mix as a large installation has it: tenants with plans and paths, some of them patterns. */
function ruleAt(index: number): BenchRule {
  const path =
    index % 4 === 0 ? `/api/v${index % 10}/things-${index}/*` : `/api/v${index % 10}/things-${index}`;
  return {
    levels: [
      ['tenant', `tenant-${Math.floor(index / 50)}`],
      ['path', path],
    ],
    matching: [],
  };
}
