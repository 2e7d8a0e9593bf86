import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileRules } from '../../src/rules/compile.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import { createMappedLineReader } from '../../src/simulate/envoy/mapped-line.ts';
import { parseMapping } from '../../src/simulate/envoy/parse-mapping.ts';
import { LogFigures } from '../../src/simulate/figures/log-figures.ts';
import { createJsonLineReader } from '../../src/simulate/log/json-line.ts';
import type { ReadLine } from '../../src/simulate/log/log-line.ts';
import { openLog } from '../../src/simulate/log/open-log.ts';
import { replay } from '../../src/simulate/replay.ts';
import { createSimulation } from '../../src/simulate/simulation.ts';
import { createVirtualClock } from '../../src/simulate/virtual-clock.ts';
import { cpuMsSince, type Measured, medianRound, type Scenario, scenario, seededRandom } from './measure.ts';

const requests = 1_000_000;
const rounds = 3;
const start = Date.parse('2026-11-02T10:00:00Z');

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

/** A kind of log: what a line is at a time for a client, and who reads it. */
interface LogKind {
  line(time: string, client: string): object;
  reader(): Promise<ReadLine>;
}

const jsonLines: LogKind = {
  line: (time, client) => ({
    time,
    domain: 'api',
    descriptors: [{ entries: [{ key: 'remote_address', value: client }] }],
  }),
  reader: async () => createJsonLineReader(),
};

const accessLog: LogKind = {
  line: (time, client) => ({ path: '/products', remote_address: client, start_time: time, user_id: null }),
  async reader() {
    const { mapping } = parseMapping('mapping.yaml', await readFile(join(examples, 'simulate/mapping.yaml')));
    if (mapping === undefined) throw new Error('the mapping of the example is refused');
    return createMappedLineReader(mapping);
  },
};

const name = `simulate ${requests.toLocaleString('en')} requests`;

export const simulateScenarios: readonly Scenario[] = [
  scenario(`${name}, JSON lines`, () => measureReplay(jsonLines, 1)),
  scenario(`${name}, JSON lines, two configurations`, () => measureReplay(jsonLines, 2)),
  scenario(`${name}, Envoy's access log`, () => measureReplay(accessLog, 1)),
];

/** Reading, deciding and counting up, all of it on one core. The rules are those of the example; a third is denied. */
async function measureReplay(kind: LogKind, configurations: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-simulate-'));
  try {
    const path = join(folder, 'requests.log');
    await writeLog(path, kind);
    const rules = await exampleRules();
    const readLine = await kind.reader();
    const measured: Measured[] = [];
    for (let round = 0; round < rounds; round++) {
      measured.push(
        await replayOnce(
          path,
          readLine,
          Array.from({ length: configurations }, () => rules),
        ),
      );
    }
    return medianRound(measured);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function replayOnce(path: string, readLine: ReadLine, ruleSets: readonly RuleSet[]): Promise<Measured> {
  const clock = createVirtualClock();
  const log = new LogFigures(clock);
  const bounds = { maxDescriptors: 1_024, maxEntries: 64 };
  const options = {
    countDenied: true,
    quotaMode: false,
    nearLimitRatio: 0.8,
    bounds,
    maxCounters: 1_000_000,
  };
  const simulations = ruleSets.map((rules) => createSimulation(rules, clock, options));
  const cpu = process.cpuUsage();
  const began = performance.now();
  const { pieces } = await openLog(path);
  await replay(pieces, { readLine, clock, log, simulations, onProgress: () => {} });
  const wallMs = performance.now() - began;
  const decisions = requests * ruleSets.length;
  const denied = simulations.reduce((sum, { figures }) => sum + figures.denied, 0);
  if (log.requests !== requests || denied === 0)
    throw new Error(`not what was meant: ${JSON.stringify(log)}`);
  return {
    decisionsPerSecond: (decisions / wallMs) * 1_000,
    serviceMicros: (cpuMsSince(cpu) / decisions) * 1_000,
    note: `${((denied / decisions) * 100).toFixed(0)} % denied`,
  };
}

async function exampleRules(): Promise<RuleSet> {
  const { document } = parseRules('api.yaml', await readFile(join(examples, 'config/api.yaml')));
  const documents = document === undefined ? [] : [document];
  const { ruleSet } = compileRules(documents, { mergeDomains: false, keyPrefix: '', version: 'bench' });
  if (ruleSet === undefined) throw new Error('the rules of the example are refused');
  return ruleSet;
}

/** Two thousand requests a second of ten thousand clients, some of which ask far more often than others. */
async function writeLog(path: string, { line }: LogKind): Promise<void> {
  const random = seededRandom(3);
  const file = createWriteStream(path, { highWaterMark: 1_048_576 });
  for (let index = 0; index < requests; index++) {
    const client = Math.floor(random() ** 3 * 10_000);
    const time = new Date(start + index / 2).toISOString();
    const text = `${JSON.stringify(line(time, `10.0.${client >> 8}.${client & 255}`))}\n`;
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
