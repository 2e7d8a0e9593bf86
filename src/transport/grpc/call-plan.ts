import { grpcStatus } from '../grpc-status.ts';
import type { GrpcHandler } from '../handler.ts';
import { literal } from '../hpack/hpack-literals.ts';
import type { RequestHead } from '../http2/request-head.ts';
import { deadlineExceeded } from './grpc-stream.ts';
import type { MessageFault } from './message-decoding.ts';
import { httpRefusal } from './response-blocks.ts';
import { parseTimeout } from './timeout.ts';

/** What is to become of a request, as far as its head tells. */
export type CallPlan =
  | {
      readonly kind: 'call';
      readonly handler: GrpcHandler;
      readonly timeoutMs: number;
      readonly encoding: string;
    }
  /** A gRPC status at once. */
  | ({ readonly kind: 'status' } & MessageFault)
  | HttpPlan;

/** Not gRPC: an HTTP status when the request has ended. */
interface HttpPlan {
  readonly kind: 'http';
  readonly head: Buffer;
  readonly body: Buffer;
}

const notGrpc: HttpPlan = Object.freeze({
  kind: 'http',
  head: httpRefusal(415),
  body: Buffer.from('This port speaks gRPC: content-type application/grpc.\n'),
});

const notPost: HttpPlan = Object.freeze({
  kind: 'http',
  head: httpRefusal(405, literal('grpc-status', '13')),
  body: Buffer.from('gRPC calls are POST requests.\n'),
});

const badTimeout: CallPlan = Object.freeze({
  kind: 'status',
  fault: 'bad-timeout',
  status: grpcStatus('INTERNAL', 'the grpc-timeout is malformed'),
});

const noTime: CallPlan = Object.freeze({ kind: 'status', ...deadlineExceeded });

/** "gRPC over HTTP/2", Content-Type: `application/grpc`, with a format or a parameter behind it. Not `-web`. */
const grpcContent = /^application\/grpc(?:$|[+;])/i;

/** RFC 9110, section 9.3.2: the answer to HEAD has no content. */
function inHttp(plan: HttpPlan, { method }: RequestHead): HttpPlan {
  return method === 'HEAD' ? { ...plan, body: noContent } : plan;
}

const noContent = Buffer.alloc(0);

/** What is longer is no encoding, and would be kept for each call as long as it is open. */
const maxEncodingLength = 32;

function encodingOf({ grpcEncoding }: RequestHead): string {
  return grpcEncoding.length > maxEncodingLength ? '(too long)' : grpcEncoding;
}

/** Plans for requests by their heads. Equal heads are the same object often, so the last plan is remembered. */
export class CallPlans {
  readonly #handlers: ReadonlyMap<string, GrpcHandler>;
  #lastHead: RequestHead | undefined;
  #lastPlan: CallPlan = notGrpc;

  constructor(handlers: ReadonlyMap<string, GrpcHandler>) {
    this.#handlers = handlers;
  }

  of(head: RequestHead): CallPlan {
    if (head !== this.#lastHead) {
      this.#lastPlan = this.#make(head);
      this.#lastHead = head;
    }
    return this.#lastPlan;
  }

  #make(head: RequestHead): CallPlan {
    if (!grpcContent.test(head.contentType)) return inHttp(notGrpc, head);
    if (head.method !== 'POST') return inHttp(notPost, head);
    const timeoutMs = parseTimeout(head.grpcTimeout);
    if (timeoutMs === undefined) return badTimeout;
    const handler = this.#handlers.get(head.path);
    if (handler !== undefined && timeoutMs === 0) return noTime;
    if (handler !== undefined) return { kind: 'call', handler, timeoutMs, encoding: encodingOf(head) };
    const status = grpcStatus('UNIMPLEMENTED', `the method ${head.path.slice(0, 200)} is not known`);
    return { kind: 'status', fault: 'unknown-method', status };
  }
}
