import type { Answer } from '../domain/decision.ts';
import type { RateLimitRequest } from '../domain/descriptor.ts';

/** A request, and where its caller says which trace it belongs to. */
export interface TracedRequest {
  /** Of the HTTP page that was asked; undefined: it was gRPC. */
  readonly path: string | undefined;
  readonly request: RateLimitRequest;
  /** A header field by its name in lower case. */
  readonly field: (name: string) => string | undefined;
}

/** What the edges need for traces. */
export interface DecisionTracer {
  /** Names of the header fields that it asks for. */
  readonly fields: ReadonlySet<string>;
  /** Decides, within a span of the caller's trace. */
  trace(asked: TracedRequest, decide: () => Promise<Answer>): Promise<Answer>;
}
