import { fileURLToPath } from 'node:url';
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  credentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';

/** A message as proto-loader gives and takes it: plain fields in camel case. */
export type Message = Readonly<Record<string, unknown>>;

/** A unary method of a service, with the codec that proto-loader makes of `proto/`. */
export type UnaryMethod = MethodDefinition<object, object>;

const definitions = loadSync(['envoy/service/ratelimit/v3/rls.proto', 'grpc/health/v1/health.proto'], {
  includeDirs: [fileURLToPath(new URL('../../proto/', import.meta.url))],
  enums: String,
  longs: String,
  bytes: String, // base64
  oneofs: true,
});

export const shouldRateLimit = method('envoy.service.ratelimit.v3.RateLimitService', 'ShouldRateLimit');
export const checkHealth = method('grpc.health.v1.Health', 'Check');

/** An answer, or the status of a call that has none. */
export type GrpcAnswer =
  | { readonly response: Message }
  | { readonly status: string; readonly message: string };

/** A client of grpc-js that shares no code with the service. */
export interface GrpcClient {
  call(method: UnaryMethod, request: Message): Promise<GrpcAnswer>;
  /** Sends octets that need not be a message. */
  callRaw(method: UnaryMethod, request: Buffer): Promise<GrpcAnswer>;
  close(): void;
}

export interface GrpcClientOptions {
  /** Without TLS unless given. */
  readonly channelCredentials?: ChannelCredentials;
  readonly channelOptions?: ChannelOptions;
  /** Of each call; 5 s unless given. */
  readonly timeoutMs?: number;
}

/** A client for `host:port`, or `ipv4:host:port,host:port` for several. It connects with its first call. */
export function createGrpcClient(address: string, options: GrpcClientOptions = {}): GrpcClient {
  const { channelCredentials = credentials.createInsecure(), timeoutMs = 5_000 } = options;
  const client = new Client(address, channelCredentials, options.channelOptions);
  const call = <T>({ path, responseDeserialize }: UnaryMethod, serialize: (value: T) => Buffer, request: T) =>
    new Promise<GrpcAnswer>((resolve) => {
      const deadline = { deadline: Date.now() + timeoutMs };
      client.makeUnaryRequest(path, serialize, responseDeserialize, request, deadline, (error, response) =>
        resolve(error === null ? { response: (response ?? {}) as Message } : failed(error)),
      );
    });
  return {
    call: (method, request) => call(method, method.requestSerialize, request),
    callRaw: (method, request) => call(method, (octets: Buffer) => octets, request),
    close: () => client.close(),
  };
}

function failed({ code, details }: ServiceError): GrpcAnswer {
  return { status: status[code] ?? String(code), message: details };
}

function method(service: string, name: string): UnaryMethod {
  const found = (definitions[service] as ServiceDefinition | undefined)?.[name];
  if (found === undefined) throw new Error(`proto/ has no ${service}/${name}`);
  return found;
}
