import type { GrpcStatus } from './grpc-status.ts';
import type { OctetWriter } from './octet-writer.ts';

/** What a handler knows of a call besides its messages. */
export interface GrpcCall {
  /** When the caller stops waiting, by the transport's clock, in ms; undefined when it does not say. */
  readonly deadline: number | undefined;
  /** Aborted when the caller goes away or the server stops. Made when first asked for. */
  readonly signal: AbortSignal;
  /** What whoever accepted the connection knows its client by; empty where nothing was proven. */
  readonly provenNames: readonly string[];
}

/** What a handler knows of a call with one message and one answer. */
export interface UnaryCallHead extends GrpcCall {
  /** The header fields that the transport was asked to keep, by their names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A call that has one answer. One of the two is called, once; what a caller who has gone would have got is dropped. */
export interface UnaryCall extends UnaryCallHead {
  /** @param write encodes the value, at once */
  reply<T>(value: T, write: (value: T, out: OctetWriter) => void): void;
  fail(status: GrpcStatus): void;
}

/**
 * What a transport carries: octets in, octets or a status out. This is all that services and transports know of each other,
 * so that the services are written once. A handler does not throw and does not reject.
 */
export type GrpcHandler = UnaryHandler | StreamHandler;

export interface UnaryHandler {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly requestStream: false;
  readonly responseStream: false;
  /** The octets are the transport's again when this returns. */
  handle(message: Buffer, call: UnaryCall): void;
}

/** The answer is a stream. Where the request is none, `messages` has one element. */
export interface StreamHandler {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: true;
  /** Yields messages; a status that it yields ends the call, and without one it ends with OK. */
  handle(messages: AsyncIterable<Buffer>, call: GrpcCall): AsyncIterable<Uint8Array | GrpcStatus>;
}
