import { connect, type Socket } from 'node:net';
import { Answers, type Progress } from './answers.ts';
import { type Frame, frameHeadLength, frameTypes, readFrames } from './frames.ts';
import { InFlight } from './in-flight.ts';
import { Outbox } from './outbox.ts';
import { type PreparedCalls, streamIdAt } from './prepared-calls.ts';
import { ConnectionTerms } from './terms.ts';

export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly calls: PreparedCalls;
  /** Calls in flight at most; fewer if the server says so. */
  readonly streams: number;
  readonly events: ConnectionEvents;
}

/** A call that the server has refused without having looked at it. */
export interface UnansweredCall {
  readonly key: number;
  readonly due: number;
}

export interface ConnectionEvents {
  connected(): void;
  /** A call is over. @param due as it was given to `send` @param now when the answer was read */
  answered(due: number, now: number, isOk: boolean): void;
  /** All is handled that has come in one read: the moment for the next calls. */
  wasRead(): void;
  /** The server wants no more calls here, and these another time. Those before them it still answers. */
  goesAway(unanswered: readonly UnansweredCall[]): void;
  /** It has gone away, and all its answers have come. */
  ended(): void;
  /** Nothing more comes, though it should. */
  lost(error: Error): void;
}

const readLength = 131_072;

/** Just enough of an HTTP/2 client (RFC 9113) to send prepared calls and to see whether they succeed. */
export class LoadConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #outbox: Outbox;
  readonly #terms: ConnectionTerms;
  readonly #inFlight = new InFlight();
  readonly #answers = new Answers(this.#inFlight);
  readonly #onFrame = (frame: Frame) => this.#take(frame);
  readonly #read = Buffer.allocUnsafeSlow(readLength);
  /** Octets at the begin of `#read`: a frame that has not come as a whole. */
  #kept = 0;
  #now = 0;
  #nextStream = 1;
  #isLeaving = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { host, port, events } = options;
    const onread = {
      buffer: () => this.#read.subarray(this.#kept),
      callback: (length: number) => this.#takeRead(length),
    };
    this.#socket = connect({ host, port, noDelay: true, onread });
    this.#socket.once('connect', () => events.connected());
    this.#socket.on('error', (error) => this.#lose(error));
    this.#socket.once('close', () => {
      if (this.#isLeaving && this.#inFlight.count === 0) events.ended();
      else this.#lose(new Error('the server has hung up'));
    });
    this.#outbox = new Outbox(this.#socket);
    this.#terms = new ConnectionTerms(this.#outbox, options.streams);
    this.#outbox.add(options.calls.opening);
    this.#outbox.flush();
  }

  /** Whether a call may be sent now. The first need not wait for the server's settings, as with Envoy. */
  get hasRoom(): boolean {
    return (
      !this.#isLeaving &&
      !this.#inFlight.isTaken(this.#nextStream) &&
      this.#terms.allow(this.#inFlight.count, this.#options.calls.largestData)
    );
  }

  /** Sends a call with the next `flush`. There must be room. */
  send(key: number, due: number): void {
    const { firstHeaders, pairs, dataAt } = this.#options.calls;
    const pair = pairs[key];
    if (pair === undefined) throw new Error(`no call is prepared for key ${key}`);
    const stream = this.#nextStream;
    this.#nextStream = stream + 2;
    this.#inFlight.add(stream, key, due);
    this.#terms.sent(pair.length - dataAt - frameHeadLength);
    if (stream === 1) {
      this.#addFor(stream, firstHeaders);
      this.#addFor(stream, pair.subarray(dataAt));
      return;
    }
    const at = this.#addFor(stream, pair);
    this.#outbox.chunk.writeUInt32BE(stream, at + dataAt + streamIdAt);
  }

  #addFor(stream: number, frame: Buffer): number {
    const at = this.#outbox.add(frame);
    this.#outbox.chunk.writeUInt32BE(stream, at + streamIdAt);
    return at;
  }

  flush(): void {
    this.#outbox.flush();
  }

  /** Ends it; answers that are still to come are not waited for. */
  close(): void {
    this.#isLeaving = true;
    this.#inFlight.removeAbove(0);
    this.#socket.destroy();
  }

  #lose(error: Error): void {
    this.close();
    this.#options.events.lost(error);
  }

  #takeRead(length: number): boolean {
    this.#now = performance.now();
    try {
      const end = this.#kept + length;
      const used = readFrames(this.#read, end, this.#onFrame);
      this.#read.copyWithin(0, used, end);
      this.#kept = end - used;
      if (this.#isLeaving && this.#inFlight.count === 0) this.#socket.end();
      this.#options.events.wasRead();
      this.#outbox.flush();
    } catch (error) {
      this.#lose(error as Error);
    }
    return true;
  }

  #take(frame: Frame): void {
    switch (frame.type) {
      case frameTypes.data:
        this.#terms.received(frame.to - frame.from);
        this.#follow(frame.stream, this.#answers.readData(frame));
        break;
      case frameTypes.headers:
        this.#follow(frame.stream, this.#answers.readHeaders(frame));
        break;
      case frameTypes.resetStream:
        if (this.#inFlight.has(frame.stream)) this.#follow(frame.stream, 'failed');
        break;
      case frameTypes.goAway:
        this.#leave(frame);
        break;
      case frameTypes.continuation:
        throw new Error('CONTINUATION: too much for this client');
      default:
        this.#terms.take(frame);
    }
  }

  #follow(stream: number, progress: Progress): void {
    if (progress === 'open') return;
    this.#options.events.answered(this.#inFlight.remove(stream), this.#now, progress === 'ok');
  }

  /** GOAWAY, RFC 9113, section 6.8: the last stream that the server answers, and why. */
  #leave({ octets, from }: Frame): void {
    const lastStream = octets.readUInt32BE(from) & 0x7fff_ffff;
    const code = octets.readUInt32BE(from + 4);
    if (code !== 0) throw new Error(`the server has sent GOAWAY with error ${code}`);
    this.#isLeaving = true;
    this.#options.events.goesAway(this.#inFlight.removeAbove(lastStream));
  }
}
