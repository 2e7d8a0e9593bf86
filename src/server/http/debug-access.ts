import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { Sampler } from '../../log-sampler.ts';
import type { TokenCheck } from './bearer-token.ts';
import { clientName } from './client-name.ts';
import { countersPath } from './counters-route.ts';
import { refuse } from './http-app.ts';

export interface DebugAccessOptions {
  /** Undefined: nobody is asked for a token. */
  readonly token: TokenCheck | undefined;
  /** Nothing but the address keeps others away: requests for other hosts' names are refused. */
  readonly onlyThisMachine: boolean;
  /** Clients have to show a certificate of an authority that is trusted. */
  readonly clientsAreKnown: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Why a request is refused, for its caller and for the log. */
interface Refusal {
  readonly status: 401 | 403;
  readonly reason: string;
  /** RFC 6750, section 3. */
  readonly challenge?: string;
}

const noToken: Refusal = { status: 401, reason: 'no token', challenge: 'Bearer realm="debug"' };
const wrongToken: Refusal = {
  status: 401,
  reason: 'wrong token',
  challenge: 'Bearer realm="debug", error="invalid_token"',
};
const otherHost: Refusal = {
  status: 403,
  reason: 'asked for by the name of another host: use localhost or an address, or set DEBUG_TOKEN',
};

const stranger: Refusal = {
  status: 403,
  reason:
    'counters are for those who prove who they are: set DEBUG_TOKEN_FILE, DEBUG_TOKEN or DEBUG_TLS_CLIENT_CACERT',
};
const browser: Refusal = { status: 403, reason: 'counters are not for pages in a browser' };

/** Lets only those read the pages who may, and has the log say who reads which, and who was refused. */
export function guardPages(app: FastifyInstance, options: DebugAccessOptions): void {
  const { token, onlyThisMachine } = options;
  const logRead = createAuditLog(options);
  app.addHook('onRequest', async (request, reply) => {
    const refusal =
      (onlyThisMachine ? findOtherHost(request) : token && (await findTokenFault(request, token))) ??
      (isOfCounters(request) ? findStranger(request, options) : undefined);
    logRead(request, refusal);
    if (refusal !== undefined) return answer(reply, refusal);
  });
}

async function findTokenFault(request: FastifyRequest, isToken: TokenCheck): Promise<Refusal | undefined> {
  const [, text] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (text === undefined) return noToken;
  return (await isToken(text)) ? undefined : wrongToken;
}

/**
 * A page in a browser on this machine may have a name of its own that leads here ("DNS rebinding"), and then reads what it
 * likes. Browsers always send that name.
 */
function findOtherHost({ headers: { host = 'localhost' } }: FastifyRequest): Refusal | undefined {
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() === 'localhost' || isIP(name) !== 0 ? undefined : otherHost;
}

function isOfCounters({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith(countersPath) === true;
}

/**
 * The limits in force may be for everybody on this machine; who was here, and how often, is not. A browser that has a
 * certificate of its user's shows it for any page: what such a page sends has the field `origin`.
 */
function findStranger({ headers }: FastifyRequest, access: DebugAccessOptions): Refusal | undefined {
  if (access.token === undefined && !access.clientsAreKnown) return stranger;
  return headers.origin === undefined ? undefined : browser;
}

function answer(reply: FastifyReply, { status, reason, challenge }: Refusal): FastifyReply {
  if (challenge !== undefined) reply.header('www-authenticate', challenge);
  return refuse(reply, status, reason);
}

/** A line a second for each page, address and outcome, with the number of those left out. */
function createAuditLog({ log, clock }: DebugAccessOptions) {
  // Apart, so that a flood of refusals hides nobody who was let in.
  const [reads, refusals] = [auditSampler(), auditSampler()];
  return (request: FastifyRequest, refusal: Refusal | undefined): void => {
    const peer = request.raw.socket.remoteAddress;
    // Undefined where there is no such page. The path itself may be anything.
    const page = request.routeOptions.url;
    if (page === undefined && refusal === undefined) return;
    const sampler = refusal === undefined ? reads : refusals;
    const sampled = sampler.take([peer, page, refusal?.reason].join(' '), clock.monotonic());
    if (sampled === undefined) return;
    const fields = { peer, page, client: clientName(request), ...sampled };
    if (refusal === undefined) log.info(fields, 'a debug page was read');
    else log.warn({ ...fields, reason: refusal.reason }, 'a debug page was refused');
  };
}

function auditSampler(): Sampler {
  return new Sampler({ intervalMs: 1_000, maxSubjects: 20 });
}
