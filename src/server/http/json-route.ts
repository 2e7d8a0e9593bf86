import type { FastifyInstance } from 'fastify';
import { wireStatusOf } from '../failure-status.ts';
import { responseHeadersOf } from '../safe-headers.ts';
import {
  addDecisionRoute,
  type DecisionRouteOptions,
  decideOn,
  failureAnswer,
  type RouteRequest,
} from './decision-route.ts';
import type { JsonCodec } from './json-codec.ts';
import { describesMessage } from './message-headers.ts';

/** `/json`: ShouldRateLimit for callers without gRPC, with any method, as in the reference. */
export function addJsonRoute(app: FastifyInstance, codec: JsonCodec, options: DecisionRouteOptions): void {
  const route = {
    path: '/json',
    methods: app.supportedMethods,
    async answer(request: RouteRequest, body: Buffer) {
      const answer = await decideOn(codec.readRequest(body), request, options);
      if (answer.kind === 'failure') return failureAnswer(answer);
      const headers = responseHeadersOf(answer).filter((header) => !describesMessage(header));
      headers.push({ name: 'content-type', value: 'application/json' });
      return { status: wireStatusOf(answer), headers, body: codec.writeResponse(answer) };
    },
  };
  addDecisionRoute(app, route, options);
}
