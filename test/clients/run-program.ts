import { execFile } from 'node:child_process';

export interface ProgramResult {
  /** undefined when it was ended from outside. */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a client to its end, which must come in half a minute. Nothing of the machine's reaches it but the PATH. */
export function runProgram(command: string, args: readonly string[]): Promise<ProgramResult> {
  const options = { env: { PATH: process.env['PATH'] }, timeout: 30_000, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(command, args, { ...options, encoding: 'buffer' }, (error, stdout, stderr) => {
      // A code in words is of the system: there is no such program, or it says too much.
      if (typeof error?.code === 'string') reject(error);
      else resolve({ code: error === null ? 0 : error.code, stdout, stderr: stderr.toString() });
    });
  });
}

/** Runs a client that must succeed, and returns what it wrote. */
export async function outputOf(command: string, args: readonly string[]): Promise<Buffer> {
  const { code, stdout, stderr } = await runProgram(command, args);
  if (code === 0) return stdout;
  throw new Error(`${command} ended with ${code}:\n${stderr}${stdout.toString().slice(-4_000)}`);
}
