import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty directory that is removed after the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'weir-config-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
