import { wireStatus } from '../../src/server/failure-status.ts';
import { failuresOfNode } from '../../src/store/redis/breaker.ts';
import { type RedisErrorRow, type RedisRetry, redisErrorRows } from '../../src/store/redis/redis-error.ts';
import { markdownTable } from './markdown-table.ts';

const causes: Readonly<Record<keyof typeof wireStatus, string>> = {
  OK: 'The request may pass.',
  OVER_LIMIT: 'The request is denied. A value, not an error.',
  INVALID_ARGUMENT:
    'The caller is wrong: no domain, no descriptors, too many of them or of entries, a limit without a unit, hits given back to a domain that takes none, a message that cannot be decoded.',
  PERMISSION_DENIED:
    'The domain has a list of `clients`, and the caller has shown no certificate with a name in it.',
  UNAVAILABLE: 'The store gave no answer, or no configuration has been loaded yet.',
  DEADLINE_EXCEEDED:
    'The caller gave too little time, or it is over. Not on `/json` and `/check`, which have no deadline.',
  RESOURCE_EXHAUSTED: 'Too many calls wait for the store; on gRPC also a message that is too large.',
  INTERNAL: 'A fault of Weir itself; the log has it.',
};

/** Every kind of answer and its statuses (`src/server/failure-status.ts`). */
export function statusTable(): string {
  const names = Object.keys(wireStatus) as (keyof typeof wireStatus)[];
  return markdownTable(
    ['Answer', 'gRPC status', 'HTTP status', 'When'],
    names.map((name) => [
      `\`${name}\``,
      `\`${wireStatus[name].grpc}\``,
      String(wireStatus[name].http),
      causes[name],
    ]),
  );
}

const retries: Readonly<Record<RedisRetry, string>> = {
  no: 'no',
  'with-source': 'once, with the text of the script',
  'by-key': 'once, key by key, at the node that has it',
};

/** What Redis and its client say, and what that means (`src/store/redis/redis-error.ts`). */
export function redisErrorTable(): string {
  return markdownTable(
    ['Redis or its client says', 'Kind', 'Sent again', 'Breaker'],
    redisErrorRows.map((row) => [
      said(row),
      `\`${row.kind}\``,
      retries[row.retry],
      failuresOfNode.has(row.kind) ? 'a failure' : 'no result',
    ]),
  );
}

function said({ text, anywhere }: RedisErrorRow): string {
  return anywhere ? `... \`${text}\` ...` : `\`${text}\` ...`;
}
