import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ChannelCredentials, Client, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import type { RateLimitResponse } from './rate-limit-response.ts';

export interface RlsCall {
  readonly target: string;
  readonly channelCredentials: ChannelCredentials;
  /** Name that the server's certificate must hold, where it is not the target's. */
  readonly serverName: string | undefined;
  readonly timeoutMs: number;
}

/**
 * One ShouldRateLimit, through a codec that shares nothing with the server's.
 * @param request as proto-loader takes it
 * @throws Error with the gRPC status and what it says
 */
export function shouldRateLimit(request: object, call: RlsCall): Promise<RateLimitResponse> {
  const { path, requestSerialize, responseDeserialize } = loadMethod();
  const client = new Client(call.target, call.channelCredentials, {
    // Proxies are for the web. One of the environment would get calls to the service next door.
    'grpc.enable_http_proxy': 0,
    ...(call.serverName !== undefined && { 'grpc.ssl_target_name_override': call.serverName }),
  });
  const deadline = Date.now() + call.timeoutMs;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      { deadline },
      (error, response) => {
        client.close();
        if (error === null) resolve(response as RateLimitResponse);
        else reject(new Error(sentenceOf(error)));
      },
    );
  });
}

function loadMethod(): MethodDefinition<object, object> {
  const definition = loadSync('envoy/service/ratelimit/v3/rls.proto', {
    includeDirs: [protoDirectory()],
    longs: String,
    enums: String,
    bytes: String, // base64
  });
  const service = definition['envoy.service.ratelimit.v3.RateLimitService'] as ServiceDefinition;
  return service['ShouldRateLimit'] as MethodDefinition<object, object>;
}

/** Beside `src` in a checkout and beside `dist` in the image. */
function protoDirectory(): string {
  const path = fileURLToPath(new URL('../../proto', import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  return path;
}

/** grpc-js adds a note on the resolution of the name also when it has none. */
function sentenceOf({ code, details }: ServiceError): string {
  return `${status[code] ?? code}: ${details.replace(/ *Resolution note: *$/, '').trim()}`;
}
