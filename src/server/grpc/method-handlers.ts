import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { type GrpcStatus, grpcStatus, isGrpcStatus } from '../../transport/grpc-status.ts';
import type { GrpcHandler, StreamHandler, UnaryCall, UnaryHandler } from '../../transport/handler.ts';
import { OctetWriter } from '../../transport/octet-writer.ts';
import type { CallListener } from '../call-listener.ts';
import { createFaultLog } from '../fault-log.ts';
import { type AnyGrpcMethod, methodName, type StreamMethod, type UnaryMethod } from './grpc-method.ts';

export interface MethodHandlerOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly onCall: CallListener;
}

type Unary = UnaryMethod<unknown, unknown>;
type Stream = StreamMethod<unknown, unknown>;

/** Makes methods what a transport carries: octets in, octets out, each call told of. Nothing of it throws or rejects. */
export function createHandlers(
  methods: readonly AnyGrpcMethod[],
  options: MethodHandlerOptions,
): readonly GrpcHandler[] {
  const logFault = createFaultLog(options.log, options.clock);
  /** An exception is a fault of ours: the caller learns no more than that, the log all. */
  const faultOf = (path: string, err: unknown): GrpcStatus => {
    logFault({ err, path });
    return grpcStatus('INTERNAL', 'internal error');
  };
  const context = { ...options, faultOf };
  return methods.map((method) =>
    method.responseStream ? streamHandler(method, context) : unaryHandler(method, context),
  );
}

interface HandlerContext extends MethodHandlerOptions {
  readonly faultOf: (path: string, err: unknown) => GrpcStatus;
}

function unaryHandler(method: Unary, { clock, onCall, faultOf }: HandlerContext): UnaryHandler {
  const { path, serialize } = method;
  const name = methodName(path);

  function end(call: UnaryCall, start: number, reply: unknown): void {
    let status = isGrpcStatus(reply) ? reply : undefined;
    if (status === undefined) {
      try {
        call.reply(reply, serialize);
      } catch (err) {
        status = faultOf(path, err);
      }
    }
    if (status !== undefined) call.fail(status);
    const seconds = (clock.monotonic() - start) / 1000;
    onCall({ protocol: 'grpc', method: name, isStream: false, code: status?.code ?? 'OK', seconds });
  }

  return {
    path,
    requestStream: false,
    responseStream: false,
    handle(message, call) {
      const start = clock.monotonic();
      try {
        const request = method.deserialize(message);
        if (isGrpcStatus(request)) return end(call, start, request);
        method.handle(request, call).then(
          (reply) => end(call, start, reply),
          (err) => end(call, start, faultOf(path, err)),
        );
      } catch (err) {
        end(call, start, faultOf(path, err));
      }
    },
  };
}

function streamHandler(method: Stream, { clock, onCall, faultOf }: HandlerContext): StreamHandler {
  const { path, requestStream } = method;

  return {
    path,
    requestStream,
    responseStream: true,
    async *handle(messages, call) {
      const start = clock.monotonic();
      let status: GrpcStatus | undefined;
      const refused = (reason: GrpcStatus): void => {
        status = reason;
      };
      try {
        for await (const item of method.handle(decoded(method, messages, refused), call)) {
          if (isGrpcStatus(item)) status = item;
          else yield encoded(method, item);
          if (status !== undefined) break;
        }
      } catch (err) {
        // A stream that breaks because its caller left is no news.
        if (!call.signal.aborted) status = faultOf(path, err);
      } finally {
        const code = status?.code ?? (call.signal.aborted ? 'CANCELLED' : 'OK');
        const seconds = (clock.monotonic() - start) / 1000;
        onCall({ protocol: 'grpc', method: methodName(path), isStream: true, code, seconds });
      }
      if (status !== undefined) yield status;
    },
  };
}

function encoded(method: Stream, message: unknown): Uint8Array {
  const out = new OctetWriter(0);
  method.serialize(message, out);
  return out.take();
}

/** The requests of a stream, up to the first that can't be decoded. */
async function* decoded(
  method: Stream,
  messages: AsyncIterable<Buffer>,
  refused: (reason: GrpcStatus) => void,
): AsyncGenerator<unknown> {
  for await (const message of messages) {
    const request = method.deserialize(message);
    if (isGrpcStatus(request)) return refused(request);
    yield request;
  }
}
