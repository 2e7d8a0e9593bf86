import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../integration/repository/repository.ts';
import { startProcess, type TestProcess } from '../support/start-process.ts';
import { requireTool, type ToolName } from '../support/tools.ts';
import { waitUntil } from '../support/wait-until.ts';
import { outputOf } from './run-program.ts';

/** A service of `examples/clients`, which asks Weir about each request. */
export interface ExampleService {
  readonly name: string;
  readonly tools: readonly ToolName[];
  readonly command: () => string;
  readonly args: readonly string[];
  /** Files that are made for it. @returns what it is told of them by its environment */
  readonly prepare?: (folder: string) => Promise<Readonly<Record<string, string>>>;
}

const pathOf = (file: string) => join(root, 'examples/clients', file);

export const exampleServices: readonly ExampleService[] = [
  {
    name: 'typescript',
    tools: [],
    command: () => process.execPath,
    args: [pathOf('typescript/server.ts')],
  },
  { name: 'go', tools: ['example-go-client'], command: () => requireTool('example-go-client'), args: [] },
  {
    name: 'python',
    tools: ['python-grpcio-tools'],
    command: () => requireTool('python-grpcio-tools'),
    args: ['-B', pathOf('python/server.py')],
    prepare: makeStubs,
  },
];

/** As examples/clients/python/server.py says, for the messages of Envoy. */
async function makeStubs(folder: string): Promise<Record<string, string>> {
  const proto = join(root, 'proto');
  const files = globSync('envoy/**/*.proto', { cwd: proto });
  const outputs = [`--python_out=${folder}`, `--grpc_python_out=${folder}`];
  const args = ['-m', 'grpc_tools.protoc', '-I', proto, ...outputs, ...files];
  await outputOf(requireTool('python-grpcio-tools'), args);
  // Where Envoy comes from, this interpreter has a package of that name, which would come before one without this file.
  await writeFile(join(folder, 'envoy/__init__.py'), '');
  return { PYTHONPATH: folder };
}

export interface RunningService extends TestProcess {
  /** `host:port`. */
  readonly address: string;
}

/** Starts a service on a free port. @param env WEIR and more, as the program takes it */
export async function startService(
  { name, command, args, prepare }: ExampleService,
  env: Readonly<Record<string, string>>,
): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-example-'));
  const prepared = await prepare?.(folder);
  const child = await startProcess(command(), args, { env: { PORT: '0', ...prepared, ...env } });
  void child.ended.then(() => rm(folder, { recursive: true, force: true }));
  const address = await waitUntil(
    `the ${name} service to listen`,
    () => child.lines.map((line) => /^listening on (\S+)$/.exec(line)?.[1]).find(Boolean) ?? child.exit,
  );
  if (typeof address !== 'string') throw new Error(`it ended:\n${child.lines.join('\n')}`);
  return Object.assign(Object.create(child) as TestProcess, { address });
}
