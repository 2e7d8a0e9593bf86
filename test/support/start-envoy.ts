import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpCall } from './http-call.ts';
import { startProcess, type TestProcess } from './start-process.ts';
import { requireTool } from './tools.ts';
import { waitUntil } from './wait-until.ts';

export interface EnvoyOptions {
  /** A bootstrap of `test/e2e/data`, whose ports are fixed: listeners 10000 and 10001, admin 9901. */
  readonly bootstrap: string;
  /** `host:port` in place of 127.0.0.1:8081, the rate limit service. */
  readonly service: string;
  /** `host:port` in place of 127.0.0.1:8080, the upstream. */
  readonly upstream: string;
  /** Further changes of the bootstrap's text. */
  readonly edit?: (text: string) => string;
  /** Where names of files in the bootstrap begin. */
  readonly cwd?: string;
}

/** A real Envoy of the test's own. */
export interface RunningEnvoy extends TestProcess {
  /** `host:port` of the listener that the bootstrap has on this port. */
  listener(port: 10000 | 10001): string;
  /** The counters and gauges whose names match a pattern. Envoy shows a counter once it has been used. */
  stats(pattern: string): Promise<Readonly<Record<string, number>>>;
}

/**
 * Starts Envoy on free ports: listeners and admin are bound to port 0, and asked where they are.
 *
 * This binary ends with the thread that started it; the tests' workers are processes, so that is at their end.
 */
export async function startEnvoy(options: EnvoyOptions): Promise<RunningEnvoy> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-envoy-'));
  const configFile = join(folder, 'envoy.yaml');
  const adminFile = join(folder, 'admin-address');
  await writeFile(configFile, await bootstrapOnFreePorts(options));
  const identity = ['--service-cluster', 'e2e', '--service-node', 'e2e-1'];
  const args = ['-c', configFile, ...identity, '--concurrency', '2', '--disable-hot-restart'];
  const child = await startProcess(
    requireTool('envoy'),
    [
      ...args,
      '--admin-address-path',
      adminFile,
      '--log-level',
      'warning',
      '--file-flush-interval-msec',
      '100',
    ],
    options.cwd === undefined ? {} : { cwd: options.cwd },
  );
  void child.ended.then(() => rm(folder, { recursive: true, force: true }));
  try {
    const admin = await waitUntil('the address of Envoy admin', async () => {
      return child.exit !== undefined || (await readFile(adminFile, 'utf8')).trim() || undefined;
    });
    if (admin === true) throw new Error('it ended');
    const names = await listenerNames(options.bootstrap);
    const listeners = await waitUntil('Envoy to be ready', () => readListeners(admin));
    return withListeners(child, { admin, names, listeners });
  } catch (error) {
    await child.stop();
    throw new Error(`Envoy did not start:\n${child.lines.join('\n')}`, { cause: error });
  }
}

async function bootstrapOnFreePorts({ bootstrap, service, upstream, edit }: EnvoyOptions): Promise<string> {
  const port = (address: string) => address.slice(address.lastIndexOf(':') + 1);
  const text = (await readFile(bootstrap, 'utf8'))
    .replaceAll(/port_value: (10000|10001|9901)\b/g, 'port_value: 0')
    .replaceAll(/port_value: 8081\b/g, `port_value: ${port(service)}`)
    .replaceAll(/port_value: 8080\b/g, `port_value: ${port(upstream)}`);
  return edit === undefined ? text : edit(text);
}

/** Names of the bootstrap's listeners by their ports there. */
async function listenerNames(bootstrap: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(bootstrap, 'utf8');
  const listener = /- name: (\S+)\s+address:[^#]*?port_value: (10000|10001)\b/g;
  return new Map(Array.from(text.matchAll(listener), ([, name = '', port = '']) => [port, name]));
}

interface ListenerStatus {
  readonly name: string;
  readonly local_address: {
    readonly socket_address: { readonly address: string; readonly port_value: number };
  };
}

/** Addresses of the listeners by name; undefined until Envoy is live, when all are bound. */
async function readListeners(admin: string): Promise<ReadonlyMap<string, string> | undefined> {
  if ((await httpCall({ address: admin, path: '/ready' })).status !== 200) return undefined;
  const { body } = await httpCall({ address: admin, path: '/listeners?format=json' });
  const statuses = (JSON.parse(body) as { listener_statuses: ListenerStatus[] }).listener_statuses;
  return new Map(
    statuses.map(({ name, local_address: { socket_address: at } }) => [
      name,
      `${at.address}:${at.port_value}`,
    ]),
  );
}

interface Places {
  readonly admin: string;
  /** Listener names by the bootstrap's ports. */
  readonly names: ReadonlyMap<string, string>;
  /** Addresses by name. */
  readonly listeners: ReadonlyMap<string, string>;
}

function withListeners(child: TestProcess, { admin, names, listeners }: Places): RunningEnvoy {
  const listener = (port: 10000 | 10001) => {
    const address = listeners.get(names.get(String(port)) ?? '');
    if (address === undefined) throw new Error(`the bootstrap has no listener on ${port}`);
    return address;
  };
  const stats = async (pattern: string) => {
    const { body } = await httpCall({ address: admin, path: `/stats?filter=${encodeURIComponent(pattern)}` });
    const lines = Array.from(body.matchAll(/^(\S+): (\d+)$/gm), ([, name = '', value]) => [
      name,
      Number(value),
    ]);
    return Object.fromEntries(lines);
  };
  return Object.assign(Object.create(child) as TestProcess, { listener, stats });
}
