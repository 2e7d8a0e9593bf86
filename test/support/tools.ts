import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that some tests run and npm does not bring. `scripts/setup-tools.ts` gets what it can. */
export const toolNames = [
  'redis-server',
  'redis-sentinel',
  'openssl',
  'mkfifo',
  'curl',
  'nginx',
  'nghttp',
  'h2load',
  'python3',
  'envoy',
  'go',
  'replay', // the Go client of test/conformance/data/replay
  'grpc-go-client', // test/clients/go
  'example-go-client', // examples/clients/go
  'h2spec',
  'reference', // envoyproxy/ratelimit itself, pinned by test/reference/go
  'hadolint',
  'actionlint',
  'ads-server', // test/xds/go
  'etcd',
  'prometheus',
  'promtool',
  'python-grpcio', // a python3 that has grpcio
  'python-grpcio-tools', // one that has what examples/clients/python names
  'helm', // test/k8s/go
  'kubernetes-validate',
] as const;

export type ToolName = (typeof toolNames)[number];

/** A program was asked for that is not there: the test lacks `describeWithTools` around it. */
export class ToolMissing extends Error {}

/** What the tests install, build and measure lies here; it is not part of the repository. */
export const cacheDirectory = fileURLToPath(new URL('../../.cache/', import.meta.url));

/** A virtual environment of the project's own, with Envoy and grpcio. */
export const pythonDirectory = join(cacheDirectory, 'python');

/** Programs that the set-up built. */
export const builtDirectory = join(cacheDirectory, 'bin');

/** For processes of Weir: Node keeps here what it compiled, so that the second of a hundred starts is faster. */
export const compileCache = { NODE_COMPILE_CACHE: join(cacheDirectory, 'compiled') };

/** Written by the set-up: for each tool that it could not get, why. */
export const missingToolsFile = join(cacheDirectory, 'missing-tools.json');

/** `TEST_REDIS_SERVER`: the path of another `redis-server` or `valkey-server`, with which the suites of stores are run. */
const otherRedisServer = process.env['TEST_REDIS_SERVER'];

/** The path of a program, or undefined where it is not installed. The project's own come before the PATH's. */
export function findTool(name: ToolName): string | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  // Daemons are here on Debian, and only root has it in the PATH.
  const system = [...path, '/usr/sbin'];
  if (name === 'redis-server' || name === 'redis-sentinel') {
    if (otherRedisServer !== undefined) return isExecutable(otherRedisServer) ? otherRedisServer : undefined;
  }
  // The environment's python3 is there because Envoy is; it says nothing about the machine.
  const folders = name === 'python3' ? system : [builtDirectory, join(pythonDirectory, 'bin'), ...system];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The path of a program. Where it may be missing, `describeWithTools` skips the suite with the reason. */
export function requireTool(name: ToolName): string {
  const path = findTool(name);
  if (path === undefined) throw new ToolMissing(reasonMissing(name));
  return path;
}

/** Why the first of these tools that is missing is missing; undefined when all are there. */
export function reasonToSkip(tools: readonly ToolName[]): string | undefined {
  const missing = tools.find((tool) => findTool(tool) === undefined);
  return missing === undefined ? undefined : reasonMissing(missing);
}

function reasonMissing(tool: ToolName): string {
  return `needs ${tool}: ${readReasons()[tool] ?? 'not found (`node scripts/setup-tools.ts` installs it)'}`;
}

function readReasons(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(missingToolsFile, 'utf8')) as Record<string, string>;
  } catch {
    return {}; // the set-up has not run
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
