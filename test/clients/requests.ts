import { expect } from 'vitest';
import { type Message, shouldRateLimit } from '../support/grpc-client.ts';

const limit = 1_000_000;

/** Each caller has a limit of its own; of a year, so that none of them starts anew while a test runs. */
export const rules = {
  'clients.yaml': [
    'domain: clients',
    'descriptors:',
    '  - key: caller',
    `    rate_limit: { unit: year, requests_per_unit: ${limit} }`,
    '',
  ].join('\n'),
};

/** A RateLimitRequest of a caller. */
export function requestOf(caller: string): Buffer {
  const descriptors = [{ entries: [{ key: 'caller', value: caller }] }];
  return shouldRateLimit.requestSerialize({ domain: 'clients', descriptors });
}

/** What the n-th call of a caller must be answered with. */
export function nthAnswer(n: number): Message {
  return {
    overallCode: 'OK',
    statuses: [
      {
        code: 'OK',
        currentLimit: { requestsPerUnit: limit, unit: 'YEAR' },
        limitRemaining: limit - n,
        durationUntilReset: { seconds: expect.stringMatching(/^[1-9]\d*$/) },
      },
    ],
  };
}

/** What the answer to each call of a caller must be, from the first to the n-th. */
export function nthAnswers(n: number): Message[] {
  return Array.from({ length: n }, (_, index) => nthAnswer(index + 1));
}

/** Answers in the order in which their calls were counted, which need not be that of the calls. */
export function asCounted(answers: readonly Message[]): Message[] {
  return answers.toSorted((a, b) => remaining(b) - remaining(a));
}

function remaining({ statuses }: Message): number {
  return (statuses as { limitRemaining: number }[])[0]?.limitRemaining ?? 0;
}

/** "gRPC over HTTP/2", Length-Prefixed-Message: not compressed, its length, itself. */
export function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** The RateLimitResponses in what a client has received, prefixes and all. */
export function answersIn(octets: Buffer): Message[] {
  const answers: Message[] = [];
  for (let at = 0; at < octets.length; ) {
    if (octets[at] !== 0) throw new Error(`no message that is not compressed: ${octets.toString('hex')}`);
    const end = at + 5 + octets.readUInt32BE(at + 1);
    if (end > octets.length) throw new Error(`a message that is cut off: ${octets.toString('hex')}`);
    answers.push(shouldRateLimit.responseDeserialize(octets.subarray(at + 5, end)) as Message);
    at = end;
  }
  return answers;
}
