import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { httpCall } from './http-call.ts';
import { startProcess, type TestProcess } from './start-process.ts';
import { compileCache } from './tools.ts';
import { testedTransport } from './transport-limits.ts';
import { waitUntil } from './wait-until.ts';

const binary = fileURLToPath(new URL('../../bin/weir.js', import.meta.url));

/** The listeners that `weir serve` names in its log when they are open. */
export type Listener = 'grpc' | 'http' | 'debug' | 'metrics';

/** A `weir serve` of its own process, as its users run it. */
export interface RunningWeir extends TestProcess {
  /** `host:port` of a listener. */
  address(listener: Listener): string;
  /** What it has logged: the lines that are JSON objects. */
  log(): Record<string, unknown>[];
}

export interface WeirOptions {
  /** Settings, in the names of the environment. Ports are free ones unless given. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder with rules, or the files themselves by name. */
  readonly rules: string | Readonly<Record<string, string>>;
  /** Whether to wait until it is ready, which is the default, or only until it listens. */
  readonly untilReady?: boolean;
  /** A program that serves when it is started without arguments; `weir serve` of the sources unless given. */
  readonly program?: string;
}

const ports = {
  HOST: '127.0.0.1',
  PORT: '0',
  GRPC_HOST: '127.0.0.1',
  GRPC_PORT: '0',
  DEBUG_HOST: '127.0.0.1',
  DEBUG_PORT: '0',
  PROMETHEUS_ADDR: '127.0.0.1:0',
  USE_PROMETHEUS: 'true',
  DRAIN_DELAY: '0s',
};

/** Starts `weir serve` and waits until it may be asked. */
export async function startWeir(options: WeirOptions): Promise<RunningWeir> {
  const { env = {}, rules, untilReady = true, program } = options;
  const written = typeof rules === 'string' ? undefined : await writeRules(rules);
  const [command, args] = program === undefined ? [process.execPath, [binary, 'serve']] : [program, []];
  const child = await startProcess(command, args, {
    env: {
      ...compileCache,
      ...ports,
      GRPC_TRANSPORT: testedTransport,
      ...rulesDirectory(written?.directory ?? String(rules)),
      ...env,
    },
  });
  if (written !== undefined) void child.ended.then(written.remove);
  const weir = withAddresses(child);
  const ended = () => child.exit !== undefined;
  try {
    await waitUntil('the listeners', () => ended() || listeners.every((name) => weir.address(name)));
    if (untilReady) await waitUntil('weir to be ready', async () => ended() || (await isReady(weir)));
    if (ended()) throw new Error('it ended');
  } catch (error) {
    await child.stop();
    throw new Error(`weir did not start:\n${child.lines.join('\n')}`, { cause: error });
  }
  return weir;
}

const listeners: readonly Listener[] = ['grpc', 'http', 'debug', 'metrics'];

/** The settings for a rules folder `root/subdirectory/application directory`, as the reference splits it. */
export function rulesDirectory(directory: string): Record<string, string> {
  const parent = dirname(directory);
  return {
    RUNTIME_ROOT: dirname(parent),
    RUNTIME_SUBDIRECTORY: basename(parent),
    RUNTIME_APPDIRECTORY: basename(directory),
  };
}

async function writeRules(files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'weir-rules-'));
  const directory = join(root, 'service', 'config');
  await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return { directory, remove: () => rm(root, { recursive: true, force: true }) };
}

function withAddresses(child: TestProcess): RunningWeir {
  const log = () => child.lines.flatMap(parseLine);
  const address = (listener: Listener) => {
    const line = log().find(
      (entry) => entry['listener'] === listener && typeof entry['address'] === 'string',
    );
    if (line === undefined) throw new Error(`no address of the ${listener} listener in the log`);
    return String(line['address']);
  };
  // The process itself carries `exit` as a getter, which a spread would freeze.
  return Object.assign(Object.create(child) as TestProcess, { address, log });
}

function parseLine(line: string): Record<string, unknown>[] {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}

async function isReady(weir: RunningWeir): Promise<boolean> {
  const { status } = await httpCall({ address: weir.address('http'), path: '/readyz' });
  return status === 200;
}
