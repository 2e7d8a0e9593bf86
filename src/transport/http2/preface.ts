import { keptCopy } from '../kept-octets.ts';

/** RFC 9113, section 3.4. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** The longest that is needed to know a method of HTTP/1 and the blank after it. */
const maxMethodBytes = 8;
/** The preface differs from each of them in its second octet at the latest: a `P` may become a `POST`. */
const tellingOctets = 2;
const http1 = /^(GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH) /;

const noOctets = Buffer.alloc(0);

/** What an HTTP/1 client can show to whoever uses it. */
export const http1Answer = Buffer.from(
  'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 36\r\n\r\n' +
    'This port speaks gRPC, over HTTP/2.\n',
);

export type PrefaceState = 'begun' | 'complete' | 'http1' | 'unknown' | 'undecided';

/** Compares what a client sends first with the preface, as it comes. */
export class Preface {
  #matched = 0;
  #mismatch: Buffer | undefined;
  /** Octets of the last chunk that belong to the preface. */
  used = 0;

  /** How it stands after this chunk. */
  feed(chunk: Buffer): PrefaceState {
    if (this.#mismatch !== undefined) return this.#other(chunk);
    this.used = 0;
    while (this.used < chunk.length && this.#matched < preface.length) {
      if (chunk[this.used] !== preface[this.#matched]) {
        const before = preface.subarray(0, this.#matched);
        this.#mismatch = noOctets;
        return this.#other(Buffer.concat([before, chunk.subarray(this.used)]));
      }
      this.used += 1;
      this.#matched += 1;
    }
    if (this.#matched === preface.length) return 'complete';
    return this.#matched < tellingOctets ? 'undecided' : 'begun';
  }

  #other(chunk: Buffer): PrefaceState {
    const octets = keptCopy(Buffer.concat([this.#mismatch ?? noOctets, chunk]).subarray(0, maxMethodBytes));
    this.#mismatch = octets;
    if (http1.test(octets.toString('latin1'))) return 'http1';
    return octets.length < maxMethodBytes ? 'undecided' : 'unknown';
  }
}
