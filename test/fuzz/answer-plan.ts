import { type GrpcCode, type GrpcStatus, grpcStatus } from '../../src/transport/grpc-status.ts';
import { mixSeeds, Random } from './random.ts';

/** What a handler does with a message: told by the message alone, so that a client can know it too. */
export interface AnswerPlan {
  /** Names the message; the answer has it. */
  readonly hash: number;
  readonly when: 'at-once' | 'later' | 'until-closed';
  /** Octets of the answer behind its hash. */
  readonly size: number;
  /** Of a call that fails. */
  readonly status: GrpcStatus | undefined;
  /** A handler of a stream breaks off, as none should. */
  readonly breaks: boolean;
}

const codes: readonly GrpcCode[] = ['NOT_FOUND', 'UNKNOWN', 'CANCELLED', 'UNAUTHENTICATED'];
const texts: readonly string[] = [
  ...Array<string>(12).fill('not found'),
  '',
  '100 % \u00fcber\n',
  '\ud83d\ude80'.repeat(400),
];
const whens: readonly AnswerPlan['when'][] = [
  ...Array<AnswerPlan['when']>(24).fill('at-once'),
  ...Array<AnswerPlan['when']>(10).fill('later'),
  'until-closed',
];

/** Octets of a long message that count. */
const samples = 128;

export function planFor(message: Uint8Array, seed: number): AnswerPlan {
  const hash = hashOf(message);
  const random = new Random(mixSeeds(hash, seed));
  const status = random.oneIn(25) ? grpcStatus(random.pick(codes), random.pick(texts)) : undefined;
  const when = random.pick(whens);
  const largest = random.oneIn(16) ? random.pick([2_000, 50_000]) : 130;
  return { hash, when, size: random.below(largest), status, breaks: random.oneIn(80) };
}

function hashOf(message: Uint8Array): number {
  const stride = Math.max(1, Math.floor(message.length / samples));
  let hash = message.length;
  for (let at = 0; at < message.length; at += stride) {
    hash = Math.imul(hash ^ (message[at] as number), 0x01000193);
  }
  return hash >>> 0;
}

/** What fills the answer to a message. */
export function fillOf(hash: number): number {
  return (hash ^ (hash >>> 11)) & 0xff;
}
