/**
 * What deciding costs on this machine, as a table in Markdown.
 *
 *     npm run bench -- [--only PATTERN]
 *     npm run bench -- --target HOST:PORT [--pid N]
 *
 * "Decisions" are requests, whatever the number of their descriptors. In the rows without gRPC a thousand keys are asked
 * for in a random order; each connection of h2load asks for its own keys all the time, which Weir joins on their way.
 *
 * With --target the same gRPC load goes to a server that runs already, whose rules must hold a limit for the key `user`
 * in the domain `bench`; --pid is its process, whose CPU is then measured. Without, each scenario starts what it needs.
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { ToolMissing } from '../support/tools.ts';
import { algorithmScenarios } from './algorithm-scenarios.ts';
import { callScenarios, targetScenarios } from './call-scenarios.ts';
import { decideScenarios } from './decide-scenarios.ts';
import { h2loadScenarios } from './h2load-scenarios.ts';
import { loadScenarios } from './load-scenarios.ts';
import { matchScenarios } from './match-scenarios.ts';
import type { Row, Scenario } from './measure.ts';
import { memoryScenarios } from './memory-scenarios.ts';

import { networkScenarios } from './network-scenarios.ts';

import { simulateScenarios } from './simulate-scenarios.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, target: { type: 'string' }, pid: { type: 'string' } },
});
const only = new RegExp(values.only ?? '', 'i');
const pid = values.pid === undefined ? undefined : Number(values.pid);
const all: readonly Scenario[] =
  values.target === undefined
    ? [
        ...matchScenarios,
        ...networkScenarios,
        ...decideScenarios,
        ...algorithmScenarios,
        ...callScenarios,
        ...h2loadScenarios,
        ...memoryScenarios,
        ...loadScenarios,
        ...simulateScenarios,
      ]
    : targetScenarios({ address: values.target, pid });
const chosen = all.filter(({ name }) => only.test(name));

const args = process.argv.slice(2).map((arg) => (/^[\w.:-]+$/.test(arg) ? arg : `'${arg}'`));
const command = ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
const columns = [
  'Scenario',
  'Decisions/s',
  'CPU of the service, us',
  'CPU of Redis, us',
  'Hits per script call',
  'Notes',
];
console.log(`\`${command}\`, Node ${process.versions.node},`);
console.log(`${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown CPU'}\n`);
console.log(`| ${columns.join(' | ')} |\n| --- | ---: | ---: | ---: | ---: | --- |`);
for (const { name, run } of chosen) {
  for (const row of await run().catch((error) => notMeasured(name, error))) console.log(textOf(row));
}
if (chosen.length === 0) {
  console.error(`no scenario matches ${only}`);
  process.exitCode = 1;
}

/** A machine may lack Redis or h2load; the other rows are worth having. */
function notMeasured(name: string, error: unknown): Row[] {
  if (!(error instanceof ToolMissing)) throw error;
  const note = `not measured: ${error.message}`;
  return [{ name, measured: { decisionsPerSecond: Number.NaN, serviceMicros: Number.NaN, note } }];
}

function textOf({ name, measured }: Row): string {
  const { decisionsPerSecond, serviceMicros, redisMicros, hitsPerCall, note } = measured;
  const cells = [
    name,
    numberText(decisionsPerSecond, 0),
    numberText(serviceMicros, 2),
    numberText(redisMicros, 2),
    numberText(hitsPerCall, 1),
    note ?? '',
  ];
  return `| ${cells.join(' | ')} |`;
}

function numberText(value: number | undefined, digits: number): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
