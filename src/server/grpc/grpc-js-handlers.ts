import { type EventEmitter, once } from 'node:events';
import type {
  Server,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
} from '@grpc/grpc-js';
import type { Clock } from '../../domain/clock.ts';
import { type GrpcStatus, grpcCodes, grpcStatus, isGrpcStatus } from '../../transport/grpc-status.ts';
import type { GrpcCall, GrpcHandler, StreamHandler, UnaryCall } from '../../transport/handler.ts';
import { OctetWriter } from '../../transport/octet-writer.ts';
import { namesIn } from '../client-certificate.ts';

type Octets = Uint8Array;
type GrpcJsUnaryCall = ServerUnaryCall<Buffer, Octets>;
type GrpcJsStreamCall = ServerWritableStream<Buffer, Octets> | ServerDuplexStream<Buffer, Octets>;

export interface GrpcJsHandlerOptions {
  readonly clock: Clock;
  /** Aborted when the server stops: calls that would never end by themselves end then. */
  readonly stopping: AbortSignal;
  /** See {@link UnaryCall.fields}. */
  readonly keptFields: ReadonlySet<string> | undefined;
}

/** Makes a handler callable on a grpc-js server. Messages pass grpc-js as octets. */
export function registerHandler(server: Server, handler: GrpcHandler, options: GrpcJsHandlerOptions): void {
  const { path } = handler;
  if (!handler.responseStream) {
    const serve = (call: GrpcJsUnaryCall, reply: sendUnaryData<Octets>): void => {
      handler.handle(call.request, new GrpcJsCall(call, options, reply));
    };
    server.register(path, serve, asBuffer, asBuffer, 'unary');
    return;
  }
  const serve = (call: GrpcJsStreamCall): void => serveStream(handler, call, options);
  server.register(path, serve, asBuffer, asBuffer, handler.requestStream ? 'bidi' : 'serverStream');
}

/** grpc-js gives deadlines by the wall clock, and reports the end of every call as `cancelled`. */
class GrpcJsCall implements UnaryCall {
  readonly deadline: number | undefined;
  readonly #call: GrpcJsUnaryCall | GrpcJsStreamCall;
  readonly #reply: sendUnaryData<Octets>;
  #ended: AbortController | undefined;
  readonly #keptFields: ReadonlySet<string> | undefined;
  #provenNames: readonly string[] | undefined;

  constructor(
    call: GrpcJsUnaryCall | GrpcJsStreamCall,
    { clock, keptFields }: GrpcJsHandlerOptions,
    reply: sendUnaryData<Octets>,
  ) {
    const deadline = call.getDeadline();
    this.deadline = Number.isFinite(deadline)
      ? clock.monotonic() + (Number(deadline) - clock.now())
      : undefined;
    this.#call = call;
    this.#keptFields = keptFields;
    this.#reply = reply;
  }

  /**
   * grpc-js does not tell which connection a call came on, but has its certificate, if TLS has verified it. To get it takes
   * 40 us, so that it is asked for only where somebody wants to know.
   */
  get provenNames(): readonly string[] {
    this.#provenNames ??= namesIn(this.#call.getAuthContext().sslPeerCertificate?.subjectaltname);
    return this.#provenNames;
  }

  get fields(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const name of this.#keptFields ?? []) {
      const values = this.#call.metadata.get(name);
      if (values.length > 0) found.set(name, values.join(','));
    }
    return found;
  }

  get signal(): AbortSignal {
    if (this.#ended === undefined) {
      const controller = new AbortController();
      (this.#call as EventEmitter).once('cancelled', () => controller.abort());
      if (this.#call.cancelled) controller.abort();
      this.#ended = controller;
    }
    return this.#ended.signal;
  }

  reply<T>(value: T, write: (value: T, out: OctetWriter) => void): void {
    const out = new OctetWriter(0);
    write(value, out);
    this.#reply(null, out.take());
  }

  fail(status: GrpcStatus): void {
    this.#reply(grpcJsStatus(status));
  }
}

function serveStream(handler: StreamHandler, call: GrpcJsStreamCall, options: GrpcJsHandlerOptions): void {
  const { stopping } = options;
  const context: GrpcCall = new GrpcJsCall(call, options, () => {});
  const stop = (): void => endWith(call, grpcStatus('UNAVAILABLE', 'the server is stopping'));
  stopping.addEventListener('abort', stop);
  context.signal.addEventListener('abort', () => stopping.removeEventListener('abort', stop));
  // What is left to fail is a call whose caller has gone.
  pump(call, handler.handle(messagesOf(call, handler), context), context.signal).catch(() => call.destroy());
  if (stopping.aborted) stop();
}

/** grpc-js wants the methods of Buffer. */
function asBuffer(octets: Octets): Buffer {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
}

async function* messagesOf(call: GrpcJsStreamCall, handler: StreamHandler): AsyncGenerator<Buffer> {
  if (!handler.requestStream) yield (call as ServerWritableStream<Buffer, Octets>).request;
  // By default the end of the requests would destroy the call, before its status is sent.
  else yield* (call as ServerDuplexStream<Buffer, Octets>).iterator({ destroyOnReturn: false });
}

/** Writes as fast as the client reads. */
async function pump(
  call: GrpcJsStreamCall,
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
function endWith(call: GrpcJsStreamCall, status: GrpcStatus): void {
  if (!call.writableEnded) call.emit('error', grpcJsStatus(status));
}

function grpcJsStatus({ code, message }: GrpcStatus) {
  // The text is percent-encoded on the way out, which throws at half a surrogate pair.
  return { code: grpcCodes[code], details: message.toWellFormed() };
}
