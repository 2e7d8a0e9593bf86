import { type EventEmitter, once } from 'node:events';
import type {
  Server,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
} from '@grpc/grpc-js';
import type { Clock } from '../../domain/clock.ts';
import type { CallRunner } from './call-runner.ts';
import type { AnyGrpcMethod, GrpcCall, StreamMethod } from './grpc-method.ts';
import { type GrpcStatus, grpcCodes, grpcStatus, isGrpcStatus } from './grpc-status.ts';

type Octets = Uint8Array;
type AnyCall = ServerUnaryCall<Buffer, Octets> | ServerStreamCall;
type ServerStreamCall = ServerWritableStream<Buffer, Octets> | ServerDuplexStream<Buffer, Octets>;

export interface GrpcJsMethodsOptions {
  readonly runner: CallRunner;
  readonly clock: Clock;
  /** Aborted when the server stops: calls that would never end by themselves end then. */
  readonly stopping: AbortSignal;
}

/** Makes a method callable on a grpc-js server. Messages pass grpc-js as octets. */
export function registerMethod(server: Server, method: AnyGrpcMethod, options: GrpcJsMethodsOptions): void {
  const { runner, clock, stopping } = options;
  if (!method.responseStream) {
    const handler = (call: ServerUnaryCall<Buffer, Octets>, reply: sendUnaryData<Octets>): void => {
      runner.unary(method, call.request, callContext(call, clock)).then((result) => {
        if (isGrpcStatus(result)) reply(grpcJsStatus(result));
        else reply(null, result);
      });
    };
    server.register(method.path, handler, asBuffer, asBuffer, 'unary');
    return;
  }
  const handler = (call: ServerStreamCall): void => {
    const context = callContext(call, clock);
    const stop = (): void => endWith(call, grpcStatus('UNAVAILABLE', 'the server is stopping'));
    stopping.addEventListener('abort', stop);
    context.signal.addEventListener('abort', () => stopping.removeEventListener('abort', stop));
    // What is left to fail is a call whose caller has gone.
    pump(call, runner.stream(method, requestsOf(call, method), context), context.signal).catch(() =>
      call.destroy(),
    );
    if (stopping.aborted) stop();
  };
  server.register(method.path, handler, asBuffer, asBuffer, method.requestStream ? 'bidi' : 'serverStream');
}

/** grpc-js wants the methods of Buffer. */
function asBuffer(octets: Octets): Buffer {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
}

/** grpc-js gives deadlines by the wall clock, and reports the end of every call as `cancelled`. */
function callContext(call: AnyCall, clock: Clock): GrpcCall {
  const deadline = call.getDeadline();
  let ended: AbortController | undefined;
  return {
    deadline: Number.isFinite(deadline) ? clock.monotonic() + (Number(deadline) - clock.now()) : undefined,
    get signal() {
      if (ended === undefined) {
        const controller = new AbortController();
        (call as EventEmitter).once('cancelled', () => controller.abort());
        if (call.cancelled) controller.abort();
        ended = controller;
      }
      return ended.signal;
    },
  };
}

async function* requestsOf(
  call: ServerStreamCall,
  method: StreamMethod<unknown, unknown>,
): AsyncGenerator<Buffer> {
  if (!method.requestStream) yield (call as ServerWritableStream<Buffer, Octets>).request;
  // By default the end of the requests would destroy the call, before its status is sent.
  else yield* (call as ServerDuplexStream<Buffer, Octets>).iterator({ destroyOnReturn: false });
}

/** Writes as fast as the client reads. */
async function pump(
  call: ServerStreamCall,
  replies: AsyncIterable<Octets | GrpcStatus>,
  signal: AbortSignal,
): Promise<void> {
  for await (const reply of replies) {
    if (isGrpcStatus(reply)) return endWith(call, reply);
    if (!call.write(reply)) await once(call, 'drain', { signal });
  }
  call.end();
}

/** grpc-js takes an `error` event on a streamed call as the status to end it with. */
function endWith(call: ServerStreamCall, status: GrpcStatus): void {
  if (!call.writableEnded) call.emit('error', grpcJsStatus(status));
}

function grpcJsStatus({ code, message }: GrpcStatus) {
  // The text is percent-encoded on the way out, which throws at half a surrogate pair.
  return { code: grpcCodes[code], details: message.toWellFormed() };
}
