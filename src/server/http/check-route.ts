import type { FastifyInstance } from 'fastify';
import type { Decision, Header } from '../../domain/decision.ts';
import { type HeaderNames, limitHeaders } from '../../domain/limit-headers.ts';
import { wireStatus, wireStatusOf } from '../failure-status.ts';
import { isSafe } from '../safe-headers.ts';
import { readCheck } from './check-reader.ts';
import {
  addDecisionRoute,
  type DecisionRouteOptions,
  decideOn,
  failureAnswer,
  type RouteAnswer,
  type RouteRequest,
} from './decision-route.ts';
import { describesMessage } from './message-headers.ts';

export interface CheckRouteOptions extends DecisionRouteOptions {
  readonly limitHeaders: HeaderNames;
}

/**
 * `/check`: ShouldRateLimit for gateways that can only make an HTTP subrequest and look at its status and headers, such as
 * nginx with `auth_request`. So the headers of the limit are always there. A body is read and not looked at.
 */
export function addCheckRoute(app: FastifyInstance, options: CheckRouteOptions): void {
  async function check(request: RouteRequest): Promise<RouteAnswer> {
    const asked = readCheck(request);
    if (asked.kind === 'nothing') return { status: wireStatus.OK, headers: [], body: '' };
    const answer = await decideOn(asked.kind === 'check' ? asked.request : asked, request, options);
    if (answer.kind === 'failure') return failureAnswer(answer);
    const status = wireStatusOf(answer);
    const isDenied = asked.kind === 'check' && answer.overallCode === 'OVER_LIMIT';
    return {
      status: isDenied ? { ...status, http: asked.denyStatus } : status,
      headers: headersOf(answer, options.limitHeaders),
      body: answer.denialBody?.text ?? '',
    };
  }
  addDecisionRoute(app, { path: '/check', methods: ['GET', 'HEAD', 'POST'], answer: check }, options);
}

function headersOf(
  { described, overallCode, furtherHeaders, denialBody }: Decision,
  names: HeaderNames,
): Header[] {
  const headers = described === undefined ? [] : limitHeaders(described, overallCode, names);
  const own = [...headers, ...furtherHeaders].filter((header) => !describesMessage(header));
  // It has counted: an answer that is used again would not.
  own.push({ name: 'cache-control', value: 'no-store' });
  if (denialBody !== undefined) own.push({ name: 'content-type', value: denialBody.contentType });
  return own.filter(isSafe);
}
