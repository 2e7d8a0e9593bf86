import { status } from '@grpc/grpc-js';
import { type Message, shouldRateLimit, type UnaryMethod } from '../support/grpc-client.ts';
import { asCounted, nthAnswer } from './requests.ts';

/** What a call came to: the number of its status with its text, and the answers in hexadecimal. */
export interface Outcome {
  readonly code: number;
  readonly text: string;
  readonly answers: readonly string[];
}

/**
 * What each client program prints, call by call in the order in which they are made. The programs share nothing but this,
 * so that each says what its own library makes of the service.
 */
export interface Outcomes {
  readonly unary: Outcome;
  readonly gzip: Outcome;
  /** With 10 kB of metadata, some of it octets. */
  readonly metadata: Outcome;
  readonly large: Outcome;
  readonly 'large-gzip': Outcome;
  /** One after another: together more than the service takes ahead on a connection. */
  readonly 'too-large': readonly Outcome[];
  readonly 'unknown-method': Outcome;
  readonly check: Outcome;
  /** A Watch that the client cancels. */
  readonly cancelled: Outcome;
  /** A Watch whose deadline comes. */
  readonly 'timed-out': Outcome;
  readonly 'request-without-end': Outcome;
  /** Two questions for the names of the services, on one call. */
  readonly reflection: Outcome;
  readonly concurrent: readonly Outcome[];
  /** The large request again, on the same connection. */
  readonly last: Outcome;
}

/** An outcome with the name of its status and its answers as messages. */
export function decoded({ code, answers }: Outcome, { responseDeserialize }: UnaryMethod = shouldRateLimit) {
  return {
    status: status[code],
    answers: answers.map((octets) => responseDeserialize(Buffer.from(octets, 'hex'))),
  };
}

/** The answers of calls that had one each, in the order in which they were counted. */
export function answersOf(outcomes: readonly Outcome[]): Message[] {
  const all = outcomes.map((outcome) => decoded(outcome));
  const failed = all.filter(({ status, answers }) => status !== 'OK' || answers.length !== 1);
  if (failed.length > 0) throw new Error(`calls that failed: ${JSON.stringify(failed)}`);
  return asCounted(all.flatMap(({ answers }) => answers as Message[]));
}

/** What the n-th call of a caller must come to. */
export function answeredFor(n: number) {
  return { status: 'OK', answers: [nthAnswer(n)] };
}
