import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import type {} from './describe-with-tools.ts';
import { cacheDirectory } from './tools.ts';

/** What a run came to. `scripts/test.ts` makes its closing line of it. */
export interface TestSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many tests each reason skipped. */
  readonly skipReasons: Readonly<Record<string, number>>;
}

/** Written at the end of each run, and removed by whoever starts one. */
export const summaryFile = join(cacheDirectory, 'test-summary.json');

const noReason = 'no reason given';

/** Says why tests were skipped, which the default reporter does not, and leaves the counts in a file. */
export default class ResultReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const summary = summarize(modules, unhandledErrors.length);
    for (const [reason, count] of Object.entries(summary.skipReasons)) {
      console.log(`skipped ${count}: ${reason}`);
    }
    mkdirSync(cacheDirectory, { recursive: true });
    writeFileSync(summaryFile, JSON.stringify(summary));
  }
}

/** A file that could not be loaded, and an error outside of any test, each count as a failed test. */
function summarize(modules: readonly TestModule[], unhandledErrors: number): TestSummary {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 };
  const skipReasons: Record<string, number> = {};
  for (const module of modules) {
    if (module.errors().length > 0) counts.failed++;
    for (const suite of module.children.allSuites()) if (suite.errors().length > 0) counts.failed++;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'failed' : state]++;
      if (state !== 'skipped') continue;
      const reason = skipReason(test);
      skipReasons[reason] = (skipReasons[reason] ?? 0) + 1;
    }
  }
  return { ...counts, skipReasons };
}

function skipReason(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped' && result.note !== undefined) return result.note;
  for (let task: TestCase | TestSuite | TestModule = test; task.type !== 'module'; task = task.parent) {
    const reason = task.meta().skipReason;
    if (reason !== undefined) return reason;
    if (task.type === 'suite' && task.errors().length > 0)
      return `what comes before "${task.fullName}" failed`;
  }
  return `${noReason} (${test.module.relativeModuleId})`;
}
