import { readHttpAddress } from '../settings/read-group.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './exit-codes.ts';
import { printSettingIssues } from './print-setting-issues.ts';

const timeoutMs = 2_000;

/** `weir health`: what `/healthcheck` of the service with the same settings says. Made for a container's HEALTHCHECK. */
export async function health({ env, output }: CommandContext): Promise<number> {
  const read = readHttpAddress(env);
  if ('errors' in read) return printSettingIssues(read, output);
  const { host, port } = read.settings;
  const url = `http://${reachable(host)}:${port}/healthcheck`;
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    output.out(status === 200 ? 'ready' : 'not ready');
    return status === 200 ? exitCodes.ok : exitCodes.no;
  } catch {
    output.err(`weir health: ${url} does not answer`);
    return exitCodes.broken;
  }
}

/** An address that means "all of this machine" cannot be called. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
