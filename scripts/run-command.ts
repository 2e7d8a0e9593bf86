import { spawn } from 'node:child_process';

/** How a command ended. */
export interface CommandResult {
  readonly ok: boolean;
  /** stdout and stderr together, as they came. */
  readonly output: string;
  readonly seconds: number;
}

export interface CommandOptions {
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** After this the command is ended and has failed; 5 minutes unless given. */
  readonly limitMs?: number;
}

/** Runs a command and collects what it says. Never rejects: a program that is not there has failed, with the reason. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, limitMs = 300_000 }: CommandOptions = {},
): Promise<CommandResult> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitMs,
    });
    let output = '';
    const end = (ok: boolean, more = '') =>
      resolve({ ok, output: output + more, seconds: (performance.now() - start) / 1000 });
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    child.on('error', (error) => end(false, error.message));
    child.on('close', (code, signal) =>
      end(code === 0, signal === null ? '' : `\n${command} was ended by ${signal}`),
    );
  });
}

/** The last line that says something: of most programs, what went wrong. */
export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
