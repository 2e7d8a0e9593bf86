import { type GrpcStatus, grpcStatus } from '../grpc-status.ts';
import { errorCode } from '../http2/frame.ts';
import type { Http2Session } from '../http2/session.ts';
import type { Http2Stream } from '../http2/stream.ts';
import type { OctetWriter } from '../octet-writer.ts';
import type { MessageFault } from './message-decoding.ts';
import { acceptEncoding, okTrailers, responseHead, trailers, trailersOnly } from './response-blocks.ts';

const ok = grpcStatus('OK', '');

export const deadlineExceeded: MessageFault = Object.freeze({
  fault: 'deadline',
  status: grpcStatus('DEADLINE_EXCEEDED', 'the time of the call is over'),
});

export const tooSlow: MessageFault = Object.freeze({
  fault: 'slow-request',
  status: grpcStatus('DEADLINE_EXCEEDED', 'the request did not come in time'),
});

/** The response of a call: "gRPC over HTTP/2", Responses. What a caller who has gone would have got is dropped. */
export class GrpcStream {
  readonly session: Http2Session;
  readonly stream: Http2Stream;
  #hasHead = false;
  #hasEnded = false;
  #tellsEncodings = false;

  constructor(session: Http2Session, stream: Http2Stream) {
    this.session = session;
    this.stream = stream;
  }

  /** Nothing more can be sent: the call has its status, or its caller has gone. */
  get hasEnded(): boolean {
    return this.#hasEnded || this.stream.isClosed;
  }

  /** @returns whether the message is on its way; else the stream's reader is told when it is */
  message<T>(value: T, write: (value: T, out: OctetWriter) => void): boolean {
    if (this.hasEnded) return true;
    const { outbound } = this.session;
    const { out, owesTableUpdate } = outbound;
    const before = out.at;
    try {
      if (!this.#hasHead) outbound.sendHeaders(this.stream, responseHead, false);
      outbound.beginData();
      // Not compressed; the length is filled in when it is known.
      out.octet(0);
      out.uint32(0);
      const start = out.at;
      write(value, out);
      out.octets.writeUInt32BE(out.at - start, start - 4);
    } catch (error) {
      outbound.takeBack(before, owesTableUpdate);
      throw error;
    }
    this.#hasHead = true;
    const isSent = outbound.endData(this.stream, false);
    this.session.wrote();
    return isSent;
  }

  /** Ends the call. @param status undefined for OK */
  finish(status?: GrpcStatus): void {
    if (this.hasEnded) return;
    this.#hasEnded = true;
    this.session.outbound.sendHeaders(this.stream, this.#lastBlock(status), true);
    this.session.wrote();
  }

  /** Ends the call for a reason of the transport's own. */
  refuse({ fault, status }: MessageFault): void {
    if (this.hasEnded) return;
    this.session.callFault(fault);
    this.#tellsEncodings = fault === 'unknown-encoding';
    this.finish(status);
  }

  /** Ends a call whose request takes too long to come. */
  refuseIfSlow(now: number): void {
    const { session, stream } = this;
    const isSlow = !stream.remoteEnded && now - stream.openedAt > session.limits.receiveTimeoutMs;
    if (isSlow) this.refuse(tooSlow);
  }

  /** For faults of our own that leave no way to tell a status. */
  abandon(): void {
    if (!this.hasEnded) this.session.resetStream(this.stream.id, errorCode.INTERNAL_ERROR, undefined);
  }

  #lastBlock(status: GrpcStatus | undefined): Buffer {
    if (this.#hasHead) return status === undefined ? okTrailers : trailers(status);
    const block = trailersOnly(status ?? ok);
    return this.#tellsEncodings ? Buffer.concat([block, acceptEncoding]) : block;
  }
}
