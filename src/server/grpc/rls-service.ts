import type { Answer, Decision, Failure, FailureCode } from '../../domain/decision.ts';
import type { RateLimitRequest } from '../../domain/descriptor.ts';
import type { RequestBounds } from '../../domain/request-bounds.ts';
import { type GrpcStatus, grpcStatus } from '../../transport/grpc-status.ts';
import type { UnaryCallHead } from '../../transport/handler.ts';
import type { Decider } from '../decider.ts';
import type { DecisionTracer } from '../decision-tracer.ts';
import { wireStatus } from '../failure-status.ts';
import type { UnaryMethod } from './grpc-method.ts';
import { readRateLimitRequest } from './rls-request-reader.ts';
import { writeRateLimitResponse } from './rls-response-writer.ts';

export interface RlsServiceOptions {
  readonly decider: Decider;
  /** Of a message; beyond them it is not read. */
  readonly bounds: RequestBounds;
  /** Told of each message that became no request, and so no decision. */
  readonly onRefusal: (code: FailureCode) => void;
  /** undefined: no traces. */
  readonly tracer?: DecisionTracer | undefined;
}

/** `envoy.service.ratelimit.v3.RateLimitService`: read, decide, write. */
export function createRlsService({
  decider,
  bounds,
  onRefusal,
  tracer,
}: RlsServiceOptions): readonly [UnaryMethod<RateLimitRequest, Decision>] {
  return [
    {
      path: '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit',
      requestStream: false,
      responseStream: false,
      deserialize(octets) {
        const request = readRateLimitRequest(octets, bounds);
        if (!('kind' in request)) return request;
        onRefusal(request.code);
        return statusOf(request);
      },
      handle:
        tracer === undefined
          ? (request, call) => decider.decide(request, call.deadline, call).then(replyOf)
          : (request, call) => traced(tracer, decider, { request, call }).then(replyOf),
      serialize: writeRateLimitResponse,
    },
  ];
}

function traced(
  tracer: DecisionTracer,
  decider: Decider,
  { request, call }: { request: RateLimitRequest; call: UnaryCallHead },
): Promise<Answer> {
  const asked = { path: undefined, request, field: (name: string) => call.fields.get(name) };
  return tracer.trace(asked, () => decider.decide(request, call.deadline, call));
}

function replyOf(answer: Answer): Decision | GrpcStatus {
  return answer.kind === 'failure' ? statusOf(answer) : answer;
}

function statusOf(failure: Failure): GrpcStatus {
  return grpcStatus(wireStatus[failure.code].grpc, failure.message);
}
