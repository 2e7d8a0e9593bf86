import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../src/cli/command-line.ts';

export interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, with an environment of its own. */
export async function runWeir(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const output = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const status = await runCommand(args, { env, output });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

/** A folder with these files, removed when it is let go. */
export async function folderOf(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), 'weir-cli-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(path, name, '..'), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
