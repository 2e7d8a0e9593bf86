/** Who reads a stream: called by the session as the request arrives. */
export interface StreamReader {
  /** Payload of DATA, whose octets are the session's again when this returns. `ended`: nothing more will come. */
  data(octets: Buffer, start: number, end: number, ended: boolean): void;
  /** The request ended, without DATA of its own. */
  end(): void;
  /** The stream is no more: nothing can be sent on it, and what it was for is not wanted any more. */
  closed(): void;
  /** All that was held back is on its way, and more can be sent. */
  sent(): void;
  /** The connection's window is used up by messages that are not complete, and this is the largest. */
  windowExhausted(): void;
  /** Once a second or so. */
  tick(now: number): void;
  /** The server stops: what would not end by itself is to end. */
  stopping(): void;
}

/** Response octets that flow control does not let pass yet. */
export interface HeldOctets {
  octets: Buffer;
  /** How many they were when they were copied last: the buffer has room for so many. */
  copied: number;
  /** Trailers that follow, with END_STREAM. */
  trailers: Uint8Array | undefined;
  /** END_STREAM comes with the last of the octets. */
  endStream: boolean;
}

/** A request and its response: RFC 9113, section 5.1. It is open until both sides have ended, or one has reset it. */
export class Http2Stream {
  readonly id: number;
  readonly openedAt: number;
  sendWindow: number;
  receiveWindow: number;
  /** Octets of DATA that count against the connection's window still. */
  unreleased = 0;
  /** Octets of DATA that the stream's window has not been given back. */
  unextended = 0;
  /** Octets of DATA that are to come, when the request has told; else -1. */
  contentLeft: number;
  remoteEnded: boolean;
  isClosed = false;
  /** Work goes on for it: its place is taken until that has ended, also when the stream has. */
  isWorking = false;
  held: HeldOctets | undefined;
  /** Of the streams in the same bucket of the table. */
  next: Http2Stream | undefined;
  reader: StreamReader = noReader;

  constructor(
    id: number,
    start: { now: number; sendWindow: number; receiveWindow: number; contentLength: number; ended: boolean },
  ) {
    this.id = id;
    this.openedAt = start.now;
    this.sendWindow = start.sendWindow;
    this.receiveWindow = start.receiveWindow;
    this.contentLeft = start.contentLength;
    this.remoteEnded = start.ended;
  }

  /** Content of DATA has come. @returns false when it is not as much as the request has told: RFC 9113, section 8.1.1 */
  takeContent(octets: number, ended: boolean): boolean {
    if (this.contentLeft === -1) return true;
    if (octets > this.contentLeft) return false;
    this.contentLeft -= octets;
    return !ended || this.contentLeft === 0;
  }
}

/** Of a stream that nobody reads. */
export const noReader: StreamReader = Object.freeze({
  data() {},
  end() {},
  closed() {},
  sent() {},
  windowExhausted() {},
  tick() {},
  stopping() {},
});
