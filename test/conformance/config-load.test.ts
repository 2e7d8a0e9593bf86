import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfigLoader } from '../../src/config/config-loader.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';
import { printRlconfig } from '../../src/rules/rlconfig.ts';
import { dataDirectory, readJson } from './scenario.ts';

type Verdict = 'accept' | 'reject';

interface LoadCase {
  readonly name: string;
  readonly files: readonly string[];
  readonly merge?: boolean;
  readonly verdict: Verdict;
  readonly why: string;
  /** Where Weir judges otherwise on purpose. */
  readonly weir?: Verdict;
  /** Where its checker is stricter than its service. */
  readonly check?: Verdict;
  readonly rlconfig?: readonly string[];
}

const directory = join(dataDirectory, 'config-load');
const cases = readJson(join(directory, 'cases.json')) as LoadCase[];

/** What becomes of a case's files when they are the first configuration of a service. */
async function load({ name, files, merge = false }: LoadCase) {
  const parsed = files.map((file) => parseRules(file, readFileSync(join(directory, 'files', file))));
  const loader = createConfigLoader({
    mergeDomains: merge,
    keyPrefix: '',
    clock: systemClock,
    onLoad: () => {},
  });
  const result = await loader.apply({
    version: name,
    documents: parsed.flatMap(({ document }) => document ?? []),
    issues: parsed.flatMap(({ issues }) => issues),
  });
  if (result.kind === 'unchanged') throw new Error('nothing was loaded');
  const hasError = result.issues.some(({ severity }) => severity === 'error');
  return {
    service: result.kind === 'applied' ? 'accept' : 'reject',
    checker: hasError ? 'reject' : 'accept',
    rlconfig: printRlconfig(loader.current()),
    issues: result.issues.map(({ file, line, message }) => `${file}:${line}: ${message}`),
  };
}

// The same verdicts by `weir check`, a process for each case, are held by the Go client (go-load.test.ts).
describe('verdicts on configurations', () => {
  it.each(cases)('$name: $why', async (loadCase) => {
    const { verdict, weir = verdict, check = weir, rlconfig } = loadCase;
    const loaded = await load(loadCase);
    const why = loaded.issues.join('\n');
    expect(loaded.service, why).toBe(weir);
    expect(loaded.checker, why).toBe(check);
    if (weir === 'accept' && rlconfig !== undefined) {
      // An element of several lines is a value with line ends.
      expect(sortedLines(loaded.rlconfig)).toEqual(sortedLines(rlconfig.join('\n')));
    }
  });
});

function sortedLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}
