import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ProcessOptions {
  /** The whole environment: nothing of the machine's reaches the process but its PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of a test, and what it has said. */
export interface TestProcess extends AsyncDisposable {
  readonly pid: number;
  /** Lines of stdout and stderr, as they came. */
  readonly lines: readonly string[];
  /** Set once the process has ended. */
  readonly exit: Exit | undefined;
  /** Resolves when it has ended. */
  readonly ended: Promise<Exit>;
  signal(signal: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL if it lives 15 s later. */
  stop(): Promise<Exit>;
}

/** Starts a program. Rejects if there is no such program. */
export async function startProcess(
  command: string,
  args: readonly string[],
  { env = {}, cwd }: ProcessOptions = {},
): Promise<TestProcess> {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return watch(child);
}

function watch(child: ChildProcess): TestProcess {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  let exit: Exit | undefined;
  const ended = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
  });
  // A test that fails before it stops its processes must not leave them behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));

  const stop = async () => {
    child.kill('SIGTERM');
    child.kill('SIGCONT'); // one that a test has halted hears nothing else
    const patience = setTimeout(kill, 15_000);
    const result = await ended;
    clearTimeout(patience);
    return result;
  };
  return {
    pid: child.pid ?? 0,
    lines,
    get exit() {
      return exit;
    },
    ended,
    signal: (signal) => child.kill(signal),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}
