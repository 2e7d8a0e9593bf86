import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { textOf } from '../domain/octets.ts';
import type { CommandContext } from './command-context.ts';
import { parseDescriptor } from './descriptor-argument.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

export interface CallOptions {
  readonly domain: string;
  readonly target: string;
  readonly hits: string;
  readonly timeout: string;
  readonly tls?: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly output: 'text' | 'json';
}

/** A RateLimitResponse as proto-loader gives it, with defaults filled in. */
interface RateLimitResponse {
  readonly overallCode: string;
  readonly statuses: readonly {
    readonly code: string;
    readonly currentLimit: {
      readonly requestsPerUnit: number;
      readonly unit: string;
      readonly name: string;
    } | null;
    readonly limitRemaining: number;
    readonly durationUntilReset: { readonly seconds: string } | null;
  }[];
  readonly responseHeadersToAdd: readonly { readonly key: string; readonly value: string }[];
}

/** `weir call`: one ShouldRateLimit, through a client that shares nothing with the server. */
export async function call(
  descriptors: readonly string[],
  options: CallOptions,
  { output }: CommandContext,
): Promise<number> {
  const hitsAddend = Number(options.hits);
  const timeoutMs = Number(options.timeout);
  if (!Number.isInteger(hitsAddend) || hitsAddend < 0 || !(timeoutMs > 0)) {
    output.err('weir call: --hits and --timeout take whole numbers');
    return exitCodes.broken;
  }
  const request = {
    domain: options.domain,
    hitsAddend,
    descriptors: descriptors.map((text) => ({
      entries: parseDescriptor(text).entries.map(({ key, value }) => ({
        key: textOf(key),
        value: textOf(value),
      })),
    })),
  };
  try {
    const response = await shouldRateLimit(request, options, Date.now() + timeoutMs);
    if (options.output === 'json') output.out(JSON.stringify(response));
    else printResponse(descriptors, response, output);
    return response.overallCode === 'OVER_LIMIT' ? exitCodes.no : exitCodes.ok;
  } catch (error) {
    output.err(`weir call: ${options.target}: ${(error as Error).message}`);
    return exitCodes.broken;
  }
}

const service = 'envoy.service.ratelimit.v3.RateLimitService';

type Call = (
  request: object,
  options: object,
  done: (error: ServiceError | null, response: unknown) => void,
) => void;

function shouldRateLimit(
  request: object,
  options: CallOptions,
  deadline: number,
): Promise<RateLimitResponse> {
  const definition = loadSync('envoy/service/ratelimit/v3/rls.proto', {
    includeDirs: [protoDirectory()],
    longs: String,
    enums: String,
    defaults: true,
  });
  const Client = loadPackageDefinition(definition);
  const Service = service
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], Client);
  const client = new (
    Service as new (
      target: string,
      channel: unknown,
    ) => { close(): void } & Record<string, Call>
  )(options.target, channelCredentials(options));
  return new Promise<RateLimitResponse>((resolve, reject) => {
    client['ShouldRateLimit']?.(request, { deadline }, (error, response) => {
      client.close();
      if (error === null) resolve(response as RateLimitResponse);
      else reject(error);
    });
  });
}

function channelCredentials({ tls, ca, cert, key }: CallOptions) {
  if (tls !== true) return credentials.createInsecure();
  const read = (file: string | undefined) => (file === undefined ? null : readFileSync(file));
  return credentials.createSsl(read(ca), read(key), read(cert));
}

/** Beside `src` in a checkout and beside `dist` in the image. */
function protoDirectory(): string {
  const path = fileURLToPath(new URL('../../proto', import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  return path;
}

function printResponse(descriptors: readonly string[], response: RateLimitResponse, output: Output): void {
  output.out(response.overallCode);
  for (const [index, status] of response.statuses.entries()) {
    output.out(`  ${descriptors[index]}: ${status.code}, ${describeLimit(status)}`);
  }
  for (const { key, value } of response.responseHeadersToAdd) output.out(`  ${key}: ${value}`);
}

function describeLimit(status: RateLimitResponse['statuses'][number]): string {
  const { currentLimit, limitRemaining, durationUntilReset } = status;
  if (currentLimit === null) return limitRemaining > 0 ? 'unlimited' : 'no limit';
  const unit = currentLimit.unit === 'UNKNOWN' ? 'window' : currentLimit.unit.toLowerCase();
  return (
    `${limitRemaining} of ${currentLimit.requestsPerUnit} per ${unit} left, ` +
    `anew in ${durationUntilReset?.seconds ?? 0} s`
  );
}
