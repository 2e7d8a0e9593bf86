/**
 * Makes faults with real processes and prints what came of them, as a table in Markdown for docs/reliability.md.
 *
 *     npm run test:faults [-- --only PATTERN]
 *
 * Ends with 1 when anything that must hold did not.
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { reasonToSkip } from '../support/tools.ts';
import { testedTransport } from '../support/transport-limits.ts';
import { allFaults } from './all-faults.ts';
import { columns, rowOf } from './table.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = new RegExp(values.only ?? '', 'i');

console.log(
  `Node ${process.versions.node}, ${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown CPU'}, GRPC_TRANSPORT=${testedTransport}\n`,
);
console.log(`| ${columns.map(({ title }) => title).join(' | ')} |`);
console.log(`| ${columns.map(({ isNumber }) => (isNumber ? '---:' : '---')).join(' | ')} |`);
const broken: string[] = [];
for (const fault of allFaults) {
  const name = `${fault.id}: ${fault.title}`;
  if (!only.test(name)) continue;
  const reason = reasonToSkip(fault.tools);
  if (reason !== undefined) {
    broken.push(`${name}: ${reason}`);
    continue;
  }
  const report = await fault.run();
  console.log(`| ${rowOf(fault, report).join(' | ')} |`);
  broken.push(...report.broken.map((sentence) => `${name}: ${sentence}`));
}
console.log(
  broken.length === 0 ? '\nAll of it held.' : `\nBroken:\n${broken.map((one) => `- ${one}`).join('\n')}`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
