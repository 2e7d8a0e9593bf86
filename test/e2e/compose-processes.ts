import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '../../scripts/run-command.ts';
import { freePorts } from '../support/free-port.ts';
import { startProcess, type TestProcess } from '../support/start-process.ts';
import { compileCache, requireTool } from '../support/tools.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ComposeFile, type ComposeService, inOrder, mountsOf } from './compose-file.ts';

/** The ports that the services listen on in their containers. */
const containerPorts: Readonly<Record<string, readonly number[]>> = {
  envoy: [10000, 9901],
  weir: [8080, 8081, 6070],
  redis: [6379],
  service: [3000],
};

/** What makes a program listen elsewhere. Envoy's ports are in its file, and those of the service in its command. */
const weirPorts = { PORT: 8080, GRPC_PORT: 8081, DEBUG_PORT: 6070 } as const;

/** The services of a Compose file as processes: with their commands, environment, files and health checks, on free ports. */
export interface ComposeProcesses extends AsyncDisposable {
  /** `host:port` that a service's port became. */
  address(service: string, port: number): string;
  process(service: string): TestProcess;
  /** Runs a command "in the container": with its environment and files. */
  run(service: string, command: readonly string[]): ReturnType<typeof runCommand>;
}

export async function startComposeProcesses(file: ComposeFile): Promise<ComposeProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-compose-'));
  const ports = await mapPorts();
  const running = new Map<string, TestProcess>();
  const commandOf = (name: string, command: readonly string[]) =>
    programOf({ name, command, service: file.services[name] as ComposeService, folder, ports });

  const run: ComposeProcesses['run'] = (name, command) => {
    const { program, args, env } = commandOf(name, command);
    return runCommand(program, args, { env });
  };

  async function start(name: string): Promise<void> {
    const service = file.services[name] as ComposeService;
    placeFiles({ name, service, file, folder, ports });
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const [kind, ...check] = file.services[other]?.healthcheck?.test ?? [];
      if (condition !== 'service_healthy') continue;
      if (kind !== 'CMD') throw new Error(`${name} waits for ${other}, which has no health check`);
      await waitUntil(`${other} to be healthy`, async () => (await run(other, check)).ok, 50_000);
    }
    // The Dockerfile's entry point.
    const { program, args, env } = commandOf(name, service.command ?? ['/bin/ratelimit']);
    running.set(name, await startProcess(program, args, { env, cwd: folder }));
  }

  const stop = async () => {
    await Promise.all([...running.values()].map((process) => process.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const name of inOrder(file.services)) await start(name);
  } catch (error) {
    const said = [...running].map(([name, { lines }]) => `${name}:\n${lines.slice(-20).join('\n')}`);
    await stop();
    throw new Error(said.join('\n'), { cause: error });
  }
  return {
    address: (service, port) => `127.0.0.1:${ports.get(`${service}:${port}`)}`,
    process: (service) => running.get(service) as TestProcess,
    run,
    [Symbol.asyncDispose]: stop,
  };
}

/** Ports on this machine, by `service:port`. */
type Ports = ReadonlyMap<string, number>;

async function mapPorts(): Promise<Ports> {
  const places = Object.entries(containerPorts).flatMap(([name, list]) =>
    list.map((port) => `${name}:${port}`),
  );
  const free = await freePorts(places.length);
  return new Map(places.map((place, index) => [place, free[index] as number]));
}

interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly service: ComposeService;
  readonly folder: string;
  readonly ports: Ports;
}

/** What stands for a command in the container, on this machine. */
function programOf({ name, command: [first = '', ...rest], service, folder, ports }: Program) {
  const here = (text: string) => pathHere(addressesHere(text, ports), join(folder, name));
  const env: Record<string, string> = { ...compileCache };
  for (const [variable, value] of Object.entries(service.environment ?? {})) env[variable] = here(value);
  const args = rest.map((text) => (text === '3000' ? String(ports.get('service:3000')) : here(text)));
  const redis = String(ports.get('redis:6379'));
  switch (first) {
    case '/bin/ratelimit':
    case '/bin/weir': {
      for (const [variable, port] of Object.entries(weirPorts))
        env[variable] = String(ports.get(`weir:${port}`));
      const binary = new URL(`../../bin/${first.slice('/bin/'.length)}.js`, import.meta.url);
      return { program: process.execPath, args: [binary.pathname, ...args], env };
    }
    case 'envoy':
      return { program: requireTool('envoy'), args: [...args, '--disable-hot-restart'], env };
    case 'redis-server':
      return { program: requireTool('redis-server'), args: [...args, '--port', redis], env };
    case 'redis-cli':
      return { program: 'redis-cli', args: ['-p', redis, ...args], env };
    case 'python3':
      return { program: requireTool('python3'), args, env };
    default:
      throw new Error(`${name} starts ${first}, for which nothing stands here`);
  }
}

/** The files of a service below a folder of its own, as they are in the container. */
function placeFiles({
  name,
  service,
  file,
  folder,
  ports,
}: Omit<Program, 'command'> & { file: ComposeFile }): void {
  for (const { source, target } of mountsOf(service, file.directory)) {
    const place = join(folder, name, target);
    mkdirSync(dirname(place), { recursive: true });
    if (statSync(source).isDirectory()) symlinkSync(source, place);
    else if (target.endsWith('.yaml'))
      writeFileSync(place, addressesHere(readFileSync(source, 'utf8'), ports));
    else cpSync(source, place);
  }
}

/** An absolute path of the container that leads to its files. */
function pathHere(text: string, containerRoot: string): string {
  if (!text.startsWith('/')) return text;
  statSync(join(containerRoot, text)); // it must be there
  return join(containerRoot, text);
}

/** `name:port`, and the two as a bootstrap of Envoy has them; Envoy's own addresses are those of its container. */
function addressesHere(text: string, ports: Ports): string {
  let changed = text;
  for (const [place, here] of ports) {
    const [name = '', port = ''] = place.split(':');
    const names = name === 'envoy' ? '(?:0\\.0\\.0\\.0|127\\.0\\.0\\.1)' : name;
    changed = changed
      .replaceAll(new RegExp(`\\b${name}:${port}\\b`, 'g'), `127.0.0.1:${here}`)
      .replaceAll(
        new RegExp(`address: ${names}, port_value: ${port}\\b`, 'g'),
        `address: 127.0.0.1, port_value: ${here}`,
      );
  }
  return changed;
}
