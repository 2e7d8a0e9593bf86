import type { GrpcStatus } from './grpc-status.ts';

/** What a method knows of a call besides its messages. */
export interface GrpcCall {
  /** When the caller stops waiting, by {@link Clock.monotonic}, in ms; undefined when it does not say. */
  readonly deadline: number | undefined;
  /** Aborted when the caller goes away or the server stops. Made when first asked for. */
  readonly signal: AbortSignal;
}

/**
 * Methods are plain tables, so that no service knows which library or transport carries it. A method answers with a message
 * or a status and does not throw; should it throw, the caller gets INTERNAL with a fixed text.
 */
type GrpcMethod<Request, Response> = UnaryMethod<Request, Response> | StreamMethod<Request, Response>;

interface Codec<Request, Response> {
  /** `/package.Service/Method`. */
  readonly path: string;
  /** Does not throw: octets that are no such message give a status. */
  deserialize(octets: Buffer): Request | GrpcStatus;
  serialize(message: Response): Uint8Array;
}

export interface UnaryMethod<Request, Response> extends Codec<Request, Response> {
  readonly requestStream: false;
  readonly responseStream: false;
  handle(request: Request, call: GrpcCall): Promise<Response | GrpcStatus>;
}

/** A method whose answer is a stream. Where the request is none, `requests` has one element. */
export interface StreamMethod<Request, Response> extends Codec<Request, Response> {
  readonly requestStream: boolean;
  readonly responseStream: true;
  /** Yields messages; a status that it yields ends the call, and without one it ends with OK. */
  handle(requests: AsyncIterable<Request>, call: GrpcCall): AsyncIterable<Response | GrpcStatus>;
}

/** A method of any types, as transports see it. */
// biome-ignore lint/suspicious/noExplicitAny: a transport only carries values from `deserialize` to `handle` to `serialize`
export type AnyGrpcMethod = GrpcMethod<any, any>;

/** The method's name alone, such as `ShouldRateLimit`: the label of metrics. */
export function methodName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
