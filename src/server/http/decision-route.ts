import type { FastifyError, FastifyInstance, HTTPMethods } from 'fastify';
import { anonymous } from '../../domain/caller.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Answer, Failure, FailureCode, Header } from '../../domain/decision.ts';
import type { RateLimitRequest } from '../../domain/descriptor.ts';
import { octetsOf } from '../../domain/octets.ts';
import type { Logger } from '../../log.ts';
import type { GrpcCode } from '../../transport/grpc-status.ts';
import type { CallListener } from '../call-listener.ts';
import type { Decider } from '../decider.ts';
import type { DecisionTracer } from '../decision-tracer.ts';
import { type WireStatus, wireStatus, wireStatusOf } from '../failure-status.ts';
import { createFaultLog } from '../fault-log.ts';
import type { RawRequest } from './check-reader.ts';

export interface DecisionRouteOptions {
  readonly decider: Decider;
  /** Told of each request that became no RateLimitRequest, and so no decision. */
  readonly onRefusal: (code: FailureCode) => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onCall: CallListener;
  /** undefined: no traces. */
  readonly tracer?: DecisionTracer | undefined;
}

/** A request as it came. */
export interface RouteRequest extends RawRequest {
  /** Of the route. */
  readonly path: string;
  /** A header field by its name in lower case. */
  readonly field: (name: string) => string | undefined;
}

/** What a route makes of a request. */
export interface RouteAnswer {
  readonly status: WireStatus;
  readonly headers: readonly Header[];
  readonly body: string;
}

export interface DecisionRoute {
  readonly path: string;
  readonly methods: HTTPMethods[];
  answer(request: RouteRequest, body: Buffer): Promise<RouteAnswer>;
}

/** A page that decides: its calls are counted, refused ones as well, and its faults are for the log. */
export function addDecisionRoute(
  app: FastifyInstance,
  { path, methods, answer }: DecisionRoute,
  { clock, log, onCall, onRefusal }: DecisionRouteOptions,
): void {
  const logFault = createFaultLog(log, clock);

  function ended(code: GrpcCode, start: number): void {
    const seconds = (clock.monotonic() - start) / 1000;
    onCall({ protocol: 'http', method: 'ShouldRateLimit', isStream: false, code, seconds });
  }

  /** A body that is too large, or not as long as its header says, never gets to the route. */
  function countRefusal(err: FastifyError): void {
    const status = err.statusCode ?? 500;
    if (status < 500) {
      const code = status === 413 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT';
      onRefusal(code);
      ended(code, clock.monotonic());
    }
    throw err; // to the listener's own handler, which answers
  }

  app.route({
    method: methods,
    url: path,
    errorHandler: countRefusal,
    async handler({ raw, headers, body }, reply) {
      const start = clock.monotonic();
      const octets = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const field = (name: string) => headers[name]?.toString();
      const request = { path, url: raw.url ?? '', rawHeaders: raw.rawHeaders, field };
      const answered = await answer(request, octets).catch((err: unknown) => {
        logFault({ err, path });
        return inText(wireStatus.INTERNAL, 'internal error');
      });
      ended(answered.status.grpc, start);
      // A header is octets to Node, one for each character.
      for (const { name, value } of answered.headers) reply.header(name, octetsOf(value));
      return reply
        .code(answered.status.http)
        .send(answered.body === '' ? undefined : Buffer.from(answered.body));
    },
  });
}

/** Has it decided, or passes on why it can't be. */
export async function decideOn(
  request: RateLimitRequest | Failure,
  { path, field }: RouteRequest,
  { decider, onRefusal, tracer }: DecisionRouteOptions,
): Promise<Answer> {
  if ('kind' in request) {
    onRefusal(request.code);
    return request;
  }
  const decide = () => decider.decide(request, undefined, anonymous);
  return tracer === undefined ? decide() : tracer.trace({ path, request, field }, decide);
}

/** No decision, as a line of text. */
export function failureAnswer(failure: Failure): RouteAnswer {
  return inText(wireStatusOf(failure), failure.message);
}

function inText(status: WireStatus, message: string): RouteAnswer {
  return { status, headers: [{ name: 'content-type', value: 'text/plain' }], body: `${message}\n` };
}
