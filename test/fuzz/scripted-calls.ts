import type { GrpcStatus } from '../../src/transport/grpc-status.ts';
import { grpcStatus } from '../../src/transport/grpc-status.ts';
import type { GrpcCall, GrpcHandler, UnaryCall } from '../../src/transport/handler.ts';
import type { OctetWriter } from '../../src/transport/octet-writer.ts';
import { type AnswerPlan, fillOf, planFor } from './answer-plan.ts';

/** Those of the recordings. */
export const paths = Object.freeze({
  unary: '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit',
  otherUnary: '/grpc.health.v1.Health/Check',
  serverStream: '/grpc.health.v1.Health/Watch',
  bidi: '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
});

/** Answers of one server stream. */
export const watchAnswers = 3;

export const gaveUp: GrpcStatus = grpcStatus('CANCELLED', 'given up');

interface Outstanding {
  readonly go: () => void;
  /** Only the caller's leave ends it, or the end of everything. */
  readonly isUntilClosed: boolean;
}

/** The handlers of one session, and the calls that they have not answered yet. */
export class ScriptedCalls {
  readonly handlers: ReadonlyMap<string, GrpcHandler>;
  readonly #seed: number;
  #outstanding: Outstanding[] = [];
  /** Calls that a handler was given. */
  begun = 0;
  /** Handlers of streams that have not ended. */
  running = 0;

  constructor(seed: number) {
    this.#seed = seed;
    const unary = (path: string): GrpcHandler => ({
      path,
      requestStream: false,
      responseStream: false,
      handle: (message, call) => this.#unary(message, call),
    });
    const stream = (path: string, requestStream: boolean): GrpcHandler => ({
      path,
      requestStream,
      responseStream: true,
      handle: (messages, call) => this.#stream(messages, call, requestStream ? 1 : watchAnswers),
    });
    const all = [
      unary(paths.unary),
      unary(paths.otherUnary),
      stream(paths.serverStream, false),
      stream(paths.bidi, true),
    ];
    this.handlers = new Map(all.map((handler) => [handler.path, handler]));
  }

  get areOutstanding(): boolean {
    return this.#outstanding.length > 0;
  }

  /** One of the calls that wait is answered. */
  answer(choice: number): void {
    const count = this.#outstanding.length;
    if (count === 0) return;
    const index = choice % count;
    const chosen = this.#outstanding[index] as Outstanding;
    if (chosen.isUntilClosed) return;
    this.#outstanding[index] = this.#outstanding[count - 1] as Outstanding;
    this.#outstanding.length = count - 1;
    chosen.go();
  }

  answerAll(): void {
    const all = this.#outstanding;
    this.#outstanding = [];
    for (const { go } of all) go();
  }

  #unary(message: Buffer, call: UnaryCall): void {
    this.begun += 1;
    const plan = planFor(message, this.#seed);
    if (plan.when === 'at-once') answer(call, plan);
    else if (plan.when === 'later')
      this.#outstanding.push({ go: () => answer(call, plan), isUntilClosed: false });
    else {
      let isDone = false;
      const go = () => {
        if (!isDone) call.fail(gaveUp);
        isDone = true;
      };
      call.signal.addEventListener('abort', go);
      this.#outstanding.push({ go, isUntilClosed: true });
    }
  }

  async *#stream(
    messages: AsyncIterable<Buffer>,
    call: GrpcCall,
    answers: number,
  ): AsyncGenerator<Uint8Array | GrpcStatus> {
    this.begun += 1;
    this.running += 1;
    try {
      for await (const message of messages) {
        const plan = planFor(message, this.#seed);
        for (let i = 0; i < answers; i++) {
          await this.#moment(plan, call);
          if (plan.breaks) throw new Error('a handler breaks off');
          if (plan.status !== undefined) yield plan.status;
          else yield answerOctets(plan);
        }
      }
    } finally {
      this.running -= 1;
    }
  }

  #moment(plan: AnswerPlan, call: GrpcCall): Promise<void> | undefined {
    if (plan.when === 'at-once') return undefined;
    const isUntilClosed = plan.when === 'until-closed';
    return new Promise((resolve) => {
      if (isUntilClosed) call.signal.addEventListener('abort', () => resolve());
      this.#outstanding.push({ go: resolve, isUntilClosed });
    });
  }
}

function answer(call: UnaryCall, plan: AnswerPlan): void {
  if (plan.status === undefined) call.reply(plan, putAnswer);
  else call.fail(plan.status);
}

function putAnswer(plan: AnswerPlan, out: OctetWriter): void {
  out.uint32(plan.hash);
  out.reserve(plan.size);
  out.octets.fill(fillOf(plan.hash), out.at, out.at + plan.size);
  out.at += plan.size;
}

function answerOctets(plan: AnswerPlan): Uint8Array {
  const octets = Buffer.alloc(4 + plan.size, fillOf(plan.hash));
  octets.writeUInt32BE(plan.hash);
  return octets;
}
