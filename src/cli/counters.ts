import { textOf } from '../domain/octets.ts';
import { readDebugToken } from '../settings/read-group.ts';
import type { CommandContext } from './command-context.ts';
import { type CountersAnswer, postCounters } from './counters-client.ts';
import { parseDescriptor } from './descriptor-argument.ts';
import { exitCodes } from './exit-codes.ts';
import type { LimitArgument } from './limit-argument.ts';
import { printCounters } from './print-counters.ts';
import { printSettingIssues } from './print-setting-issues.ts';
import { readToken } from './read-token.ts';

export interface CountersOptions {
  readonly domain: string;
  /** `http://` or `https://`, a host and a port. */
  readonly address: string;
  /** A limit of the request's own, whose counter is meant. */
  readonly limit?: LimitArgument;
  /** For a grant. */
  readonly hits?: number;
  readonly tokenFile?: string;
  readonly serverName?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** In ms. */
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

/** `weir counters get|reset|grant`: counters of a running service, descriptor by descriptor. */
export async function counters(
  operation: 'get' | 'reset' | 'grant',
  descriptors: readonly string[],
  options: CountersOptions,
  { env, output }: CommandContext,
): Promise<number> {
  const settings = readDebugToken(env);
  if ('errors' in settings && options.tokenFile === undefined) return printSettingIssues(settings, output);
  let status: number = exitCodes.ok;
  try {
    const source = 'errors' in settings ? undefined : settings.settings.token;
    const token = readToken(options.tokenFile, source);
    for (const text of descriptors) {
      const body = JSON.stringify(bodyOf(text, options));
      const answer = await postCounters({ operation, body, token, ...options });
      if (options.output === 'json') output.out(JSON.stringify(answer));
      else printCounters(text, answer, output);
      status = Math.max(status, statusOf(answer));
    }
  } catch (error) {
    output.err(`weir counters: ${options.address}: ${(error as Error).message}`);
    return exitCodes.broken;
  }
  return status;
}

function bodyOf(text: string, { domain, limit, hits }: CountersOptions): object {
  const entries = parseDescriptor(text).entries.map(({ key, value }) => {
    return { key: textOf(key), value: textOf(value) };
  });
  return { domain, descriptor: { entries, ...(limit && { limit }) }, ...(hits !== undefined && { hits }) };
}

/** Without a counter the answer is no; with one that could not be reached, it could not be done. */
function statusOf({ counters: list }: CountersAnswer): number {
  if (list.some(({ error }) => error !== undefined)) return exitCodes.broken;
  return list.length === 0 ? exitCodes.no : exitCodes.ok;
}
