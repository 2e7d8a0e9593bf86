import { fileURLToPath } from 'node:url';
import { Client, credentials } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Keys and values, in the order of the rules. */
export type Descriptor = readonly (readonly [key: string, value: string])[];

export interface RateLimitOptions {
  /** `host:port` of Weir. */
  readonly target: string;
  readonly domain: string;
  /** What is limited: one descriptor for each limit. None: the request passes. */
  readonly describe: (request: FastifyRequest) => readonly Descriptor[];
  /** How long a request waits for an answer, in ms. */
  readonly deadlineMs: number;
  /** Whether a request without an answer passes. */
  readonly failOpen: boolean;
}

/** As much of a RateLimitResponse as is looked at here. */
interface RateLimitResponse {
  readonly overallCode: string;
  readonly responseHeadersToAdd: readonly { readonly key: string; readonly value: string }[];
  readonly rawBody: Buffer;
}

// The folder `proto` of the repository; copy it with this file.
const protoDirectory = fileURLToPath(new URL('../../../proto/', import.meta.url));
const definitions = loadSync('envoy/service/ratelimit/v3/rls.proto', {
  includeDirs: [protoDirectory],
  enums: String,
  defaults: true,
});
const service = definitions['envoy.service.ratelimit.v3.RateLimitService'] as ServiceDefinition;
const method = service['ShouldRateLimit'] as MethodDefinition<object, RateLimitResponse>;

const channelOptions = {
  // One connection to each address of the name, such as that of a headless Service.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  // By default it may look for a Weir that was away only two minutes later.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** A hook for fastify's `onRequest` that asks Weir about each request, and its end. */
export function createRateLimit({ target, domain, describe, deadlineMs, failOpen }: RateLimitOptions) {
  const client = new Client(target, credentials.createInsecure(), channelOptions);

  function ask(descriptors: readonly Descriptor[]): Promise<RateLimitResponse> {
    const request = { domain, descriptors: descriptors.map((one) => ({ entries: one.map(entryOf) })) };
    const options = { deadline: Date.now() + deadlineMs };
    return new Promise((resolve, reject) => {
      const { path, requestSerialize, responseDeserialize } = method;
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        options,
        (error, response) => (response === undefined ? reject(error) : resolve(response)),
      );
    });
  }

  async function onRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const descriptors = describe(request);
    if (descriptors.length === 0) return undefined;
    let answer: RateLimitResponse;
    try {
      answer = await ask(descriptors);
    } catch (error) {
      request.log.warn(error, 'no answer from Weir');
      return failOpen ? undefined : reply.code(503).send('rate limits cannot be checked\n');
    }
    // Weir makes the headers and the body; docs/clients.md names the settings.
    for (const { key, value } of answer.responseHeadersToAdd) reply.header(key, value);
    return answer.overallCode === 'OVER_LIMIT' ? reply.code(429).send(answer.rawBody) : undefined;
  }

  return { onRequest, close: () => client.close() };
}

function entryOf([key, value]: readonly [string, string]) {
  return { key, value };
}
