import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import type { CallListener } from '../call-listener.ts';
import { createFaultLog } from '../fault-log.ts';
import {
  type AnyGrpcMethod,
  type GrpcCall,
  methodName,
  type StreamMethod,
  type UnaryMethod,
} from './grpc-method.ts';
import { type GrpcStatus, grpcStatus, isGrpcStatus } from './grpc-status.ts';

export interface CallRunnerOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly onCall: CallListener;
}

/** Runs methods on octets for any transport. Nothing it returns throws or rejects. */
export interface CallRunner {
  unary(
    method: UnaryMethod<unknown, unknown>,
    message: Buffer,
    call: GrpcCall,
  ): Promise<Uint8Array | GrpcStatus>;
  /** Yields encoded messages; a status, if one comes, is the last. */
  stream(
    method: StreamMethod<unknown, unknown>,
    messages: AsyncIterable<Buffer>,
    call: GrpcCall,
  ): AsyncIterable<Uint8Array | GrpcStatus>;
}

export function createCallRunner({ clock, log, onCall }: CallRunnerOptions): CallRunner {
  const logFault = createFaultLog(log, clock);

  /** An exception is a fault of ours: the caller learns no more than that, the log all. */
  function fault(method: AnyGrpcMethod, err: unknown): GrpcStatus {
    logFault({ err, path: method.path });
    return grpcStatus('INTERNAL', 'internal error');
  }

  function ended(method: AnyGrpcMethod, start: number, code: GrpcStatus['code']): void {
    const seconds = (clock.monotonic() - start) / 1000;
    onCall({
      protocol: 'grpc',
      method: methodName(method.path),
      isStream: method.responseStream,
      code,
      seconds,
    });
  }

  return {
    async unary(method, message, call) {
      const start = clock.monotonic();
      let reply: Uint8Array | GrpcStatus;
      try {
        reply = await answer(method, message, call);
      } catch (err) {
        reply = fault(method, err);
      }
      ended(method, start, isGrpcStatus(reply) ? reply.code : 'OK');
      return reply;
    },

    async *stream(method, messages, call) {
      const start = clock.monotonic();
      let status: GrpcStatus | undefined;
      const refused = (reason: GrpcStatus): void => {
        status = reason;
      };
      try {
        for await (const item of method.handle(decoded(method, messages, refused), call)) {
          if (isGrpcStatus(item)) status = item;
          else yield method.serialize(item);
          if (status !== undefined) break;
        }
      } catch (err) {
        // A stream that breaks because its caller left is no news.
        if (!call.signal.aborted) status = fault(method, err);
      } finally {
        ended(method, start, status?.code ?? (call.signal.aborted ? 'CANCELLED' : 'OK'));
      }
      if (status !== undefined) yield status;
    },
  };
}

async function answer(
  method: UnaryMethod<unknown, unknown>,
  message: Buffer,
  call: GrpcCall,
): Promise<Uint8Array | GrpcStatus> {
  const request = method.deserialize(message);
  if (isGrpcStatus(request)) return request;
  const response = await method.handle(request, call);
  return isGrpcStatus(response) ? response : method.serialize(response);
}

/** The requests of a stream, up to the first that can't be decoded. */
async function* decoded(
  method: StreamMethod<unknown, unknown>,
  messages: AsyncIterable<Buffer>,
  refused: (reason: GrpcStatus) => void,
): AsyncGenerator<unknown> {
  for await (const message of messages) {
    const request = method.deserialize(message);
    if (isGrpcStatus(request)) return refused(request);
    yield request;
  }
}
