import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { Answer } from '../../domain/decision.ts';
import type { RateLimitRequest } from '../../domain/descriptor.ts';
import { textOf } from '../../domain/octets.ts';
import type { CounterStore, HitResult } from '../../store/counter-store.ts';
import { isStoreError } from '../../store/store-error.ts';
import { callerContext, type FieldReader } from './caller-context.ts';

/** A request, and where its caller says which trace it belongs to. */
export interface TracedRequest {
  /** Of the HTTP page that was asked; undefined: it was gRPC. */
  readonly path: string | undefined;
  readonly request: RateLimitRequest;
  readonly field: FieldReader;
}

/** Spans of decisions, and within them of calls to the store. */
export interface DecisionSpans {
  trace(asked: TracedRequest, decide: () => Promise<Answer>): Promise<Answer>;
  traceStore(store: CounterStore, kind: 'redis' | 'memory'): CounterStore;
}

/** Names that the reference's spans have, as far as there is such a part here. */
const decisionSpan = 'ShouldRateLimit Execution';
const storeSpans = { redis: 'Redis Pipeline Execution', memory: 'Memory Store Execution' } as const;

/** A caller chooses how long a domain is. */
const maxDomainLength = 128;

const grpcMethod = {
  'rpc.system': 'grpc',
  'rpc.service': 'envoy.service.ratelimit.v3.RateLimitService',
  'rpc.method': 'ShouldRateLimit',
} as const;

export function createDecisionSpans(tracer: Tracer): DecisionSpans {
  /** What the code between a call and the store need not know of. */
  const current = new AsyncLocalStorage<Context>();

  async function traceDecision(asked: TracedRequest, decide: () => Promise<Answer>): Promise<Answer> {
    const parent = callerContext(asked.field);
    const span = tracer.startSpan(decisionSpan, { kind: SpanKind.SERVER }, parent);
    if (span.isRecording()) describe(span, asked);
    try {
      const answer = await current.run(trace.setSpan(parent, span), decide);
      if (span.isRecording()) conclude(span, answer);
      return answer;
    } finally {
      span.end();
    }
  }

  function traceStore(store: CounterStore, kind: 'redis' | 'memory'): CounterStore {
    async function within(hits: number, call: () => Promise<HitResult>): Promise<HitResult> {
      const parent = current.getStore();
      if (parent === undefined) return call();
      const span = tracer.startSpan(storeSpans[kind], { kind: SpanKind.CLIENT }, parent);
      span.setAttributes({ 'db.system.name': kind, 'db.operation.batch.size': hits });
      try {
        const result = await call();
        markErrors(span, result);
        return result;
      } finally {
        span.end();
      }
    }
    return {
      hit: (hits, deadline) => within(hits.length, () => store.hit(hits, deadline)),
      hitUnlessDenied: (hits, deadline) => within(hits.length, () => store.hitUnlessDenied(hits, deadline)),
      ready: store.ready,
      isConnected: () => store.isConnected(),
      close: () => store.close(),
    };
  }

  return { trace: traceDecision, traceStore };
}

/** Nothing of it is a value of a descriptor: those are callers' data, and who reads traces need not see them. */
function describe(span: Span, { path, request }: TracedRequest): void {
  span.setAttributes({
    ...(path === undefined ? grpcMethod : { 'url.path': path }),
    'ratelimit.domain': textOf(request.domain).slice(0, maxDomainLength),
    'ratelimit.descriptors': request.descriptors.length,
  });
}

function conclude(span: Span, answer: Answer): void {
  const isFailure = answer.kind === 'failure';
  span.setAttribute('ratelimit.code', isFailure ? answer.code : answer.overallCode);
  if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR, message: answer.code });
}

/** A node's own words may hold more than its kind. */
function markErrors(span: Span, { states }: HitResult): void {
  const error = states.find(isStoreError);
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error.kind });
}
