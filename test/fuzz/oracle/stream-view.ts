import { fillOf } from '../answer-plan.ts';
import { Fault } from './fault.ts';

const prefixBytes = 5;
const hashBytes = 4;

/** One request and what came back for it, as its client sees it. */
export class StreamView {
  readonly id: number;
  /** What the server may send. */
  sendWindow: number;
  /** What the client may send. */
  receiveWindow: number;
  clientEnded = false;
  clientReset = false;
  hasHead = false;
  serverEnded = false;
  /** The code of the server's RST_STREAM. */
  resetCode = -1;
  isGrpc = false;
  /** Of the response; -1 where it has none (yet). */
  grpcStatus = -1;
  httpStatus = '';
  /** The hash in each message of the response. */
  readonly answers: number[] = [];
  /** Octets of the prefix, and of the message behind it, that have come. */
  #prefix = 0;
  #at = 0;
  #length = 0;
  #hash = 0;

  constructor(id: number, sendWindow: number, receiveWindow: number) {
    this.id = id;
    this.sendWindow = sendWindow;
    this.receiveWindow = receiveWindow;
  }

  /** Nothing more can come from the server. */
  get hasEnded(): boolean {
    return this.serverEnded || this.resetCode >= 0 || this.clientReset;
  }

  get isMidMessage(): boolean {
    return this.#prefix > 0;
  }

  /** Payload of DATA: messages whose octets all follow from their hash, so that none can be lost or come twice. */
  data(octets: Buffer, start: number, end: number): void {
    for (let at = start; at < end; ) {
      if (this.#prefix < prefixBytes) {
        this.#putPrefix(octets[at++] as number);
        continue;
      }
      if (this.#at < hashBytes) {
        this.#hash = ((this.#hash << 8) | (octets[at++] as number)) >>> 0;
        this.#at += 1;
      } else {
        const taken = Math.min(end - at, this.#length - this.#at);
        if (!isFilled(octets, at, at + taken, fillOf(this.#hash)))
          throw new Fault('answers are whole', `stream ${this.id}`);
        at += taken;
        this.#at += taken;
      }
      if (this.#at === this.#length) this.#complete();
    }
  }

  #putPrefix(octet: number): void {
    if (this.#prefix === 0 && octet !== 0) throw new Fault('answers are not compressed', `stream ${this.id}`);
    if (this.#prefix > 0) this.#length = this.#length * 256 + octet;
    this.#prefix += 1;
    if (this.#prefix === prefixBytes && this.#length < hashBytes) {
      throw new Fault('answers are whole', `stream ${this.id} has one of ${this.#length} octets`);
    }
  }

  #complete(): void {
    this.answers.push(this.#hash);
    this.#prefix = 0;
    this.#at = 0;
    this.#length = 0;
    this.#hash = 0;
  }
}

/** Looked at in places, which is enough for octets that were moved. */
function isFilled(octets: Buffer, start: number, end: number, fill: number): boolean {
  if (start === end) return true;
  const stride = 1 + ((end - start) >>> 6);
  for (let at = start; at < end; at += stride) if (octets[at] !== fill) return false;
  return octets[end - 1] === fill;
}
