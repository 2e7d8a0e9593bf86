import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../scripts/run-command.ts';
import { freePort } from '../../support/free-port.ts';
import { startProcess } from '../../support/start-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { codeBlocks, readPackageJson, readText, root } from './repository.ts';

const commands = codeBlocks(readText('README.md'), 'sh').flatMap((block) => block.trim().split('\n'));

/** A command of the README, with `npx weir` as npx finds it: the package's own program. */
function argsOf(command: string): string[] {
  return command.replace(/^npx weir /, '').split(' ');
}

describe('README.md', () => {
  it('has the commands that are tried here', () => {
    expect(commands.map((command) => command.split(' ').slice(0, 3).join(' '))).toEqual([
      'npm ci &&',
      'npx weir call',
      'curl -s http://localhost:8080/json',
      'npx weir explain',
      'npm ci &&',
    ]);
    expect(readPackageJson().scripts['start']).toBe('node scripts/start.js');
  });

  it('starts, decides by gRPC and /json, and explains as it says', async () => {
    const [grpc, http] = [await freePort(), await freePort()];
    const env = { GRPC_PORT: String(grpc), PORT: String(http), DEBUG_PORT: '0', DRAIN_DELAY: '0s' };
    await using weir = await startProcess(process.execPath, ['scripts/start.js'], { env, cwd: root });
    await waitUntil('weir to be ready', async () => {
      if (weir.exit !== undefined) throw new Error(weir.lines.join('\n'));
      return (await fetch(`http://localhost:${http}/readyz`)).ok;
    });

    const call = argsOf(commands[1] ?? '');
    const called = await runCommand('node', ['bin/weir.js', ...call, '-t', `localhost:${grpc}`], {
      cwd: root,
    });
    expect(called.output).toMatch(/^OK\n {2}remote_address=192\.0\.2\.1: OK, 99 of 100 per minute left/);

    const body = commands[2]?.match(/-d '(.*)'$/)?.[1] ?? '';
    const answer = await fetch(`http://localhost:${http}/json`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({
      overallCode: 'OK',
      statuses: [{ currentLimit: { requestsPerUnit: 1000, unit: 'HOUR' }, limitRemaining: 999 }],
    });

    const explained = await runCommand('node', ['bin/weir.js', ...argsOf(commands[3] ?? '')], { cwd: root });
    expect(explained.output).toContain('=> rule api.route_login.remote_address');
  });
});
