import type { Http2Session } from '../http2/session.ts';
import type { Http2Stream, StreamReader } from '../http2/stream.ts';

/** A request that is no gRPC call. It is answered in HTTP when it has ended, as HTTP clients expect. */
export class RefusedRequest implements StreamReader {
  readonly #session: Http2Session;
  readonly #stream: Http2Stream;
  readonly #head: Buffer;
  readonly #body: Buffer;
  #isAnswered = false;

  constructor(session: Http2Session, stream: Http2Stream, { head, body }: { head: Buffer; body: Buffer }) {
    this.#session = session;
    this.#stream = stream;
    this.#head = head;
    this.#body = body;
  }

  data(_octets: Buffer, _start: number, _end: number, ended: boolean): void {
    this.#session.receiveWindow.release(this.#stream, this.#stream.unreleased);
    if (ended) this.end();
    else this.#session.receiveWindow.extend(this.#stream);
  }

  end(): void {
    // The stream lives on where flow control holds the answer back.
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const { outbound } = this.#session;
    this.#session.callFault('not-grpc');
    outbound.sendHeaders(this.#stream, this.#head, this.#body.length === 0);
    if (this.#body.length > 0) {
      outbound.beginData().bytes(this.#body);
      outbound.endData(this.#stream, true);
    }
    this.#session.wrote();
  }

  tick(now: number): void {
    const isSlow = now - this.#stream.openedAt > this.#session.limits.receiveTimeoutMs;
    if (isSlow && !this.#stream.remoteEnded) this.end();
  }

  closed(): void {}
  sent(): void {}
  windowExhausted(): void {}
  stopping(): void {}
}
