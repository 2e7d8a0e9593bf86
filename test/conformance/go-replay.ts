import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProcess } from '../support/start-process.ts';
import { startWeir } from '../support/start-weir.ts';
import { requireTool } from '../support/tools.ts';
import type { StoreOfProfile } from './profile-suite.ts';
import { dataDirectory, readProfiles } from './scenario.ts';

/** The slowest profile waits 1.2 s before each of its scenarios with metrics, and may wait for an hour's end. */
const profileTimeoutMs = 180_000;

/** Holds the service to each profile by the data's own client, which shares nothing with Weir or with these tests. */
export function replayProfiles(emptyStore: () => Promise<StoreOfProfile>): void {
  const profiles = readProfiles();
  it.each(profiles)('$name', { timeout: profileTimeoutMs }, async ({ name, env, rulesDirectory }) => {
    const store = await emptyStore();
    await using weir = await startWeir({ env: { ...env, ...store.env }, rules: rulesDirectory });
    const addresses = (['grpc', 'http', 'debug', 'metrics'] as const).flatMap((listener) => [
      `--${listener}`,
      weir.address(listener),
    ]);
    const directory = join(dataDirectory, name);
    const options = ['--dir', directory, '--answers', 'weir', '--same-clock'];
    await expectReplayToPass(['check', ...addresses, ...options]);
  });
}

/** Runs the client; what it prints is the message of a failure. */
export async function expectReplayToPass(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using replay = await startProcess(requireTool('replay'), args, { env });
  const { code } = await replay.ended;
  expect(code, replay.lines.join('\n')).toBe(0);
  expect(replay.lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed/);
}
