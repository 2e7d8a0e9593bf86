import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymous } from '../../domain/caller.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Answer, Decision, FailureCode } from '../../domain/decision.ts';
import { octetsOf } from '../../domain/octets.ts';
import type { Logger } from '../../log.ts';
import type { GrpcCode } from '../../transport/grpc-status.ts';
import type { CallListener } from '../call-listener.ts';
import type { Decider } from '../decider.ts';
import { type WireStatus, wireStatus, wireStatusOf } from '../failure-status.ts';
import { createFaultLog } from '../fault-log.ts';
import { responseHeadersOf } from '../safe-headers.ts';
import type { JsonCodec } from './json-codec.ts';

export interface JsonRouteOptions {
  readonly decider: Decider;
  /** Told of each body that became no request, and so no decision. */
  readonly onRefusal: (code: FailureCode) => void;
  readonly codec: JsonCodec;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onCall: CallListener;
}

/** Headers that belong to this very response: what a rule says of the client's would break it. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** `/json`: ShouldRateLimit for callers without gRPC, with any method, as in the reference. */
export function addJsonRoute(app: FastifyInstance, options: JsonRouteOptions): void {
  const { decider, codec, clock, onCall, onRefusal } = options;
  const logFault = createFaultLog(options.log, clock);

  async function answer(body: unknown): Promise<{ status: WireStatus; decision?: Decision; text: string }> {
    try {
      const request = codec.readRequest(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      if ('kind' in request) onRefusal(request.code);
      const result: Answer =
        'kind' in request ? request : await decider.decide(request, undefined, anonymous);
      const status = wireStatusOf(result);
      if (result.kind === 'failure') return { status, text: `${result.message}\n` };
      return { status, decision: result, text: codec.writeResponse(result) };
    } catch (err) {
      logFault({ err, path: '/json' });
      return { status: wireStatus.INTERNAL, text: 'internal error\n' };
    }
  }

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

  app.all('/json', { errorHandler: countRefusal }, async (request: FastifyRequest, reply: FastifyReply) => {
    const start = clock.monotonic();
    const { status, decision, text } = await answer(request.body);
    if (decision) addHeaders(reply, decision);
    ended(status.grpc, start);
    reply.code(status.http).header('content-type', decision ? 'application/json' : 'text/plain');
    return reply.send(Buffer.from(text));
  });
}

function addHeaders(reply: FastifyReply, decision: Decision): void {
  for (const { name, value } of responseHeadersOf(decision)) {
    // A header is octets to Node, one for each character.
    if (!ownHeaders.has(name.toLowerCase())) reply.header(name, octetsOf(value));
  }
}
