import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Measured, type Scenario, scenario } from './measure.ts';
import { type BenchRule, rulesText } from './rules.ts';

const run = promisify(execFile);
const rulesCount = 10_000;

/** What `load-rules-process.ts` prints. */
export interface LoadCosts {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most memory that the process had, all of Node included. */
  readonly mebibytes: number;
  /** How late the loop was at the worst of a thousand moments, in ms. */
  readonly lagMs: number;
}

export const loadScenarios: readonly Scenario[] = [
  scenario(`loading ${rulesCount.toLocaleString('en')} rules of YAML`, measureLoad),
];

async function measureLoad(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-load-'));
  try {
    const rules = Array.from({ length: rulesCount }, (_, index) => ruleAt(index));
    await writeFile(join(folder, 'rules.yaml'), rulesText(rules));
    const program = fileURLToPath(new URL('load-rules-process.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [program, folder]);
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
