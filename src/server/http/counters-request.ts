import type { CounterOperation, CounterQuery } from '../../domain/counter-report.ts';
import { type Failure, invalidArgument } from '../../domain/decision.ts';
import type { Descriptor } from '../../domain/descriptor.ts';
import { maxUint32 } from '../../domain/limit.ts';
import type { JsonCodec } from './json-codec.ts';

/** The operations, which are the last part of the path. */
export const operationNames = ['get', 'reset', 'grant'] as const;

/** What the body of a request to `/counters/...` asks for. */
export interface CountersRequest {
  readonly query: CounterQuery;
  readonly operation: CounterOperation;
}

/** JSON is UTF-8, as for `/json`. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const fields = ['domain', 'descriptor', 'hits'];

/**
 * Reads `{domain, descriptor, hits}`. The descriptor is that of a RateLimitRequest, and is read by the reader of `/json`, so
 * that both find the same counters; a limit in it counts as it does there.
 */
export function readCountersRequest(
  name: (typeof operationNames)[number],
  body: Buffer,
  codec: JsonCodec,
): CountersRequest | Failure {
  const json = parseObject(body);
  if (json === undefined) return invalidArgument('the body must be a JSON object: {domain, descriptor}');
  const unknown = Object.keys(json).find((field) => !fields.includes(field));
  if (unknown !== undefined) {
    return invalidArgument(`the body has a field that is not known; known are ${fields.join(', ')}`);
  }
  const operation = operationOf(name, json['hits']);
  if ('code' in operation) return operation;
  const message = { domain: json['domain'], descriptors: [json['descriptor'] ?? {}] };
  const request = codec.readRequest(Buffer.from(JSON.stringify(message)));
  if ('kind' in request) return request;
  const descriptor = request.descriptors[0] as Descriptor;
  if (descriptor.hitsAddend !== undefined || descriptor.isNegativeHits) {
    return invalidArgument('the descriptor must not have hits: a grant has them beside it');
  }
  return { query: { domain: request.domain, descriptor }, operation };
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(utf8.decode(body));
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}

function operationOf(name: (typeof operationNames)[number], hits: unknown): CounterOperation | Failure {
  if (name !== 'grant') {
    return hits === undefined ? { kind: name } : invalidArgument('hits are for a grant only');
  }
  if (typeof hits === 'number' && Number.isInteger(hits) && hits >= 1 && hits <= maxUint32) {
    return { kind: 'grant', hits };
  }
  return invalidArgument(`a grant needs hits, a whole number from 1 to ${maxUint32}`);
}
