/**
 * `npm test`: sets up what the tests need, then types, lint, import rules and every test, and one closing line.
 *
 * Everything is run also after a failure, so that one run shows all there is to mend. Tests whose programs cannot be had
 * are skipped with the reason; with CI=true a skip is a failure. Arguments go to vitest:
 *
 *     npm test -- --project unit
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { summaryFile, type TestSummary } from '../test/support/result-reporter.ts';
import { runCommand } from './run-command.ts';
import { setUpTools } from './setup-tools.ts';
import { type Counts, verdictOf } from './verdict.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const checks = [
  { title: 'types', command: ['tsc', '--noEmit'] },
  { title: 'lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { title: 'import rules', command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'src'] },
];

const start = performance.now();
const [, ...checkCounts] = await Promise.all([prepare(), ...checks.map(runCheck)]);
const counts = [...checkCounts, await runTests(process.argv.slice(2))].reduce(add);
const seconds = (performance.now() - start) / 1000;
const { exitCode, closingLine } = verdictOf(counts, seconds, process.env['CI'] === 'true');
console.log(closingLine);
process.exitCode = exitCode;

async function prepare(): Promise<void> {
  const { seconds, result } = await timed(setUpTools);
  console.log(`tools   ${seconds.toFixed(1)} s`);
  for (const [tool, reason] of Object.entries(result)) console.log(`  no ${tool}: ${reason}`);
}

async function runCheck({ title, command }: (typeof checks)[number]): Promise<Counts> {
  const [program = '', ...args] = command;
  const { ok, output, seconds } = await runCommand(program, args, { cwd: root });
  console.log(`${ok ? 'ok' : 'FAILED'}  ${title} ${seconds.toFixed(1)} s`);
  if (!ok) console.log(output);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/** The counts come from the reporter's file: without it the run did not reach its end, and has failed. */
async function runTests(args: readonly string[]): Promise<Counts> {
  rmSync(summaryFile, { force: true });
  const code = await new Promise((resolve) => {
    const vitest = spawn('vitest', ['run', ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    vitest.on('error', (error) => resolve(error.message));
    vitest.on('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  const summary = readSummary();
  if (summary !== undefined && (code === 0 || summary.failed > 0)) return summary;
  console.log(`FAILED  vitest ended with ${code}`);
  return { passed: summary?.passed ?? 0, failed: 1, skipped: summary?.skipped ?? 0 };
}

function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

function readSummary(): TestSummary | undefined {
  try {
    return JSON.parse(readFileSync(summaryFile, 'utf8')) as TestSummary;
  } catch {
    return undefined;
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const begin = performance.now();
  const result = await work();
  return { seconds: (performance.now() - begin) / 1000, result };
}
