import type { Answer, FailureCode } from '../domain/decision.ts';
import type { GrpcCode } from '../transport/grpc-status.ts';

/** What each kind of answer is on the wire. */
export interface WireStatus {
  readonly grpc: GrpcCode;
  readonly http: number;
}

/**
 * The one table from answers to statuses. Envoy takes every gRPC status but OK as "no answer" and applies its
 * `failure_mode_deny`, so over limit is OK there, with a code in the message.
 */
export const wireStatus: Readonly<Record<FailureCode | 'OK' | 'OVER_LIMIT' | 'INTERNAL', WireStatus>> =
  Object.freeze({
    OK: { grpc: 'OK', http: 200 },
    OVER_LIMIT: { grpc: 'OK', http: 429 },
    INVALID_ARGUMENT: { grpc: 'INVALID_ARGUMENT', http: 400 },
    PERMISSION_DENIED: { grpc: 'PERMISSION_DENIED', http: 403 },
    UNAVAILABLE: { grpc: 'UNAVAILABLE', http: 503 },
    DEADLINE_EXCEEDED: { grpc: 'DEADLINE_EXCEEDED', http: 504 },
    RESOURCE_EXHAUSTED: { grpc: 'RESOURCE_EXHAUSTED', http: 503 },
    // A fault of Weir's own: an exception that nobody expected.
    INTERNAL: { grpc: 'INTERNAL', http: 500 },
  });

export function wireStatusOf(answer: Answer): WireStatus {
  return wireStatus[answer.kind === 'failure' ? answer.code : answer.overallCode];
}
