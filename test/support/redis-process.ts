import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { requireTool } from './tools.ts';

/** A line of a configuration file for each value. */
export type RedisConfig = Readonly<Record<string, string | readonly string[]>>;

/** The port was taken by somebody else in the meantime. */
export class PortTaken extends Error {}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function endWithThisProcess(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Starts `redis-server` or `redis-sentinel`, and waits until it says that it serves. */
export async function startRedisProcess(
  tool: 'redis-server' | 'redis-sentinel',
  directory: string,
  config: RedisConfig,
): Promise<ChildProcess> {
  const path = requireTool(tool);
  const file = join(directory, `${tool}.conf`);
  writeFileSync(file, configText(config));
  const args = tool === 'redis-sentinel' ? [file, '--sentinel'] : [file];
  const child = spawn(path, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithThisProcess(child);
  const lines: string[] = [];
  const started = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      const text = lines.join('\n');
      reject(/Address already in use|Failed listening/.test(text) ? new PortTaken(text) : new Error(text));
    });
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        if (lines.length < 100) lines.push(line);
        if (/Ready to accept connections|Sentinel ID is/.test(line)) resolve();
      });
    }
  });
  await started;
  return child;
}

/** Ends it without a chance to save or to say goodbye, and waits for its end. */
export async function killRedisProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function configText(config: RedisConfig): string {
  const lines = Object.entries(config).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${name} ${one === '' ? '""' : one}`),
  );
  return `${lines.join('\n')}\n`;
}
