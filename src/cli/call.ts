import { textOf } from '../domain/octets.ts';
import { channelCredentials, type TlsOptions } from './channel-credentials.ts';
import type { CommandContext } from './command-context.ts';
import { parseDescriptor } from './descriptor-argument.ts';
import { exitCodes } from './exit-codes.ts';
import { printResponse } from './print-response.ts';
import type { RateLimitResponse } from './rate-limit-response.ts';
import { responseJson } from './response-json.ts';
import { shouldRateLimit } from './rls-client.ts';

export interface CallOptions extends TlsOptions {
  readonly domain: string;
  readonly target: string;
  /** 0 to 2^32-1. */
  readonly hits: number;
  /** In ms. */
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

/** `weir call`: asks once, as Envoy does, and shows the answer. */
export async function call(
  descriptors: readonly string[],
  options: CallOptions,
  { output }: CommandContext,
): Promise<number> {
  let response: RateLimitResponse;
  try {
    response = await shouldRateLimit(requestOf(descriptors, options), {
      target: options.target,
      channelCredentials: channelCredentials(options.target, options),
      serverName: options.serverName,
      timeoutMs: options.timeout,
    });
  } catch (error) {
    output.err(`weir call: ${options.target}: ${(error as Error).message}`);
    return exitCodes.broken;
  }
  if (options.output === 'json') output.out(responseJson(response));
  else printResponse(descriptors, response, output);
  return response.overallCode === 'OVER_LIMIT' ? exitCodes.no : exitCodes.ok;
}

function requestOf(descriptors: readonly string[], { domain, hits }: CallOptions): object {
  return {
    domain,
    hitsAddend: hits,
    descriptors: descriptors.map((text) => ({
      entries: parseDescriptor(text).entries.map(({ key, value }) => ({
        key: textOf(key),
        value: textOf(value),
      })),
    })),
  };
}
