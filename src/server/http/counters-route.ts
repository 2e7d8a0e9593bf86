import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CounterReport, isFault } from '../../domain/counter-report.ts';
import type { CounterAdministration } from '../counter-administration.ts';
import { wireStatusOf } from '../failure-status.ts';
import { clientName } from './client-name.ts';
import { writeCounterReport } from './counters-json.ts';
import { operationNames, readCountersRequest } from './counters-request.ts';
import { refuse } from './http-app.ts';
import type { JsonCodec } from './json-codec.ts';

/** What the paths of counters begin with. */
export const countersPath = '/counters/';

/** `POST /counters/get`, `/counters/reset` and `/counters/grant`. Who may is decided before. */
export function addCountersRoutes(
  app: FastifyInstance,
  codec: JsonCodec,
  { administer, onChange }: CounterAdministration,
): void {
  for (const name of operationNames) {
    app.post(`${countersPath}${name}`, async (request, reply) => {
      const read = readCountersRequest(name, bodyOf(request), codec);
      if ('kind' in read) return refuse(reply, wireStatusOf(read).http, read.message);
      const { query, operation } = read;
      const report = await administer(query, operation);
      if (report.kind === 'failure') return refuse(reply, wireStatusOf(report).http, report.message);
      if (operation.kind !== 'get' && report.counters.length > 0) {
        const peer = request.raw.socket.remoteAddress;
        onChange({ peer, client: clientName(request), adjustment: operation, report });
      }
      return answer(reply, report);
    });
  }
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** 503 where a counter could not be reached; the others were done nevertheless. */
function answer(reply: FastifyReply, report: CounterReport): FastifyReply {
  const isWhole = report.counters.every(({ state }) => !isFault(state));
  const body = Buffer.from(writeCounterReport(report));
  return reply
    .code(isWhole ? 200 : 503)
    .type('application/json')
    .send(body);
}
