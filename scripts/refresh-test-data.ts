/**
 * Copies the recorded test data, which is kept outside of this repository, into it, so that a clone stands alone.
 *
 *     node scripts/refresh-test-data.ts [--check] [folder of the data]
 *
 * With --check nothing is written: what is not current is listed, and the exit code is 1.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the data are kept, beside the repository. */
export const sharedDataDirectory = join(root, '..', 'shared');

/** What is copied, and where to. */
const copies: readonly (readonly [source: string, target: string])[] = [
  ['conformance', 'test/conformance/data'],
  ['envoy-e2e.yaml', 'test/e2e/data/envoy-e2e.yaml'],
  ['envoy-e2e-limits.yaml', 'test/e2e/data/envoy-e2e-limits.yaml'],
  ['envoy-e2e-variants', 'test/e2e/data/envoy-e2e-variants'],
  ['wire', 'test/wire'],
];

/** Files of the copies that are missing, differ or are too many, as paths in the repository. */
export function outdatedTestData(source: string): string[] {
  return copies.flatMap(([from, to]) => differences(join(source, from), join(root, to)));
}

function differences(source: string, target: string): string[] {
  const names = new Set([...filesIn(source), ...filesIn(target)]);
  return [...names]
    .filter((name) => !haveEqualContent(join(source, name), join(target, name)))
    .map((name) => relative(root, join(target, name)));
}

/** Paths below a folder; of a file, the empty path. */
function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [''];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)));
}

function haveEqualContent(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

/** Contents only: the data may be read-only where they are kept. */
function refresh(source: string): void {
  for (const [from, to] of copies) {
    rmSync(join(root, to), { recursive: true, force: true });
    for (const name of filesIn(join(source, from))) {
      const target = join(root, to, name);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, readFileSync(join(source, from, name)));
    }
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'boolean' } },
    allowPositionals: true,
  });
  const source = positionals[0] ?? sharedDataDirectory;
  if (!existsSync(join(source, 'conformance'))) {
    console.error(`no test data in ${source}`);
    process.exit(1);
  }
  const outdated = outdatedTestData(source);
  for (const path of outdated) console.log(path);
  if (values.check === true) process.exitCode = outdated.length === 0 ? 0 : 1;
  else if (outdated.length > 0) refresh(source);
}
