import type { GrpcStatus } from '../../transport/grpc-status.ts';
import type { GrpcCall, UnaryCallHead } from '../../transport/handler.ts';
import type { OctetWriter } from '../../transport/octet-writer.ts';

/**
 * Methods are plain tables, so that no service knows which transport carries it, nor that messages are octets. A method
 * answers with a message or a status and does not throw; should it throw, the caller gets INTERNAL with a fixed text.
 */
type GrpcMethod<Request, Response> = UnaryMethod<Request, Response> | StreamMethod<Request, Response>;

interface Codec<Request, Response> {
  /** `/package.Service/Method`. */
  readonly path: string;
  /** Does not throw: octets that are no such message give a status. It must keep none of the octets. */
  deserialize(octets: Buffer): Request | GrpcStatus;
  serialize(message: Response, out: OctetWriter): void;
}

export interface UnaryMethod<Request, Response> extends Codec<Request, Response> {
  readonly requestStream: false;
  readonly responseStream: false;
  handle(request: Request, call: UnaryCallHead): Promise<Response | GrpcStatus>;
}

/** A method whose answer is a stream. Where the request is none, `requests` has one element. */
export interface StreamMethod<Request, Response> extends Codec<Request, Response> {
  readonly requestStream: boolean;
  readonly responseStream: true;
  /** Yields messages; a status that it yields ends the call, and without one it ends with OK. */
  handle(requests: AsyncIterable<Request>, call: GrpcCall): AsyncIterable<Response | GrpcStatus>;
}

/** A method of any types, as its handler sees it. */
// biome-ignore lint/suspicious/noExplicitAny: values are only carried from `deserialize` to `handle` to `serialize`
export type AnyGrpcMethod = GrpcMethod<any, any>;

/** The method's name alone, such as `ShouldRateLimit`: the label of metrics. */
export function methodName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
