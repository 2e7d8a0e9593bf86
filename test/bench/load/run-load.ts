import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compileCache } from '../../support/tools.ts';
import type { LoadResult } from './load-result.ts';
import { argsOf, type SomeLoadSettings } from './settings.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./generate.ts', import.meta.url));

/**
 * Sends load from a process of its own, so that its CPU time is not the caller's, and returns what came of
 * it. Connections are opened, and what is sent is encoded, before the measuring begins.
 * @throws if the load could not be sent to its end; calls that fail are only counted
 */
export async function runLoad(settings: SomeLoadSettings): Promise<LoadResult> {
  const env = { PATH: process.env['PATH'], ...compileCache };
  const { stdout } = await run(process.execPath, [program, ...argsOf(settings)], { env });
  return JSON.parse(stdout) as LoadResult;
}
