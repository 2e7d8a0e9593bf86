import type { GrpcHandler } from '../handler.ts';
import type { RequestHead } from '../http2/request-head.ts';
import type { Http2Session } from '../http2/session.ts';
import { type Http2Stream, noReader, type StreamReader } from '../http2/stream.ts';
import { CallPlans } from './call-plan.ts';
import { Decompressions } from './decompressions.ts';
import { GrpcStream } from './grpc-stream.ts';
import { RefusedRequest } from './refused-request.ts';
import type { SharedParts } from './shared-parts.ts';
import { StreamRequest } from './stream-request.ts';
import { Turns } from './turns.ts';
import { UnaryRequest } from './unary-request.ts';

/**
 * Gives each request of a connection its reader, by what its head asks for.
 * @param provenNames of the connection's client
 */
export function createGrpcRequests(
  handlers: ReadonlyMap<string, GrpcHandler>,
  provenNames: readonly string[] = [],
): (session: Http2Session, stream: Http2Stream, head: RequestHead) => StreamReader {
  const plans = new CallPlans(handlers);
  let shared: SharedParts | undefined;
  return (session, stream, head) => {
    const plan = plans.of(head);
    if (plan.kind === 'http') return new RefusedRequest(session, stream, plan);
    if (plan.kind === 'status') {
      new GrpcStream(session, stream).refuse(plan);
      return noReader;
    }
    const { handler, timeoutMs, encoding } = plan;
    // The time runs from the arrival: "gRPC over HTTP/2", Timeout.
    const deadline = timeoutMs === Number.POSITIVE_INFINITY ? undefined : session.arrivedAt + timeoutMs;
    shared ??= sharedParts(session, provenNames);
    return handler.responseStream
      ? new StreamRequest(session, stream, { handler, deadline, encoding, shared })
      : new UnaryRequest(session, stream, { handler, deadline, encoding, shared, fields: head.kept });
  };
}

function sharedParts(session: Http2Session, provenNames: readonly string[]): SharedParts {
  return {
    provenNames,
    decompressions: new Decompressions(session.limits.maxMessageBytes),
    turns: new Turns(() => !session.isCongested || session.state === 'ended'),
  };
}
