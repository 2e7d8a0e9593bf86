import type { TransportLimits } from '../../../src/transport/transport-limits.ts';
import { flags as flag, types } from '../../support/http2-frames.ts';
import type { PlannedRequest } from './request.ts';

const windowAtFirst = 65_535;
const ids = { maxConcurrentStreams: 3, initialWindow: 4, maxFrameSize: 5 };

/** A call as its client knows it, which may be less than what the server has done already. */
export interface ClientCall {
  readonly id: number;
  readonly request: PlannedRequest;
  /** How it ends: with its last DATA, with a frame of its own, with trailers, or not of itself. */
  readonly ending: 'data' | 'empty' | 'trailers' | 'never';
  /** Octets of the body that were sent. */
  sent: number;
  /** What may still be sent. */
  window: number;
  /** What the server was allowed beside the initial window. */
  granted: number;
  hasEnded: boolean;
  /** The client has cancelled it. */
  wasReset: boolean;
}

interface ServerFrame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
}

/** What a client that keeps to the rules knows. It reads what the server sent when it comes to it, and not at once. */
export class ClientState {
  readonly limits: TransportLimits;
  readonly #inbox: ServerFrame[] = [];
  /** Calls that go on. */
  readonly active = new Map<number, ClientCall>();
  /** All calls. */
  readonly calls: ClientCall[] = [];
  nextId = 1;
  window = windowAtFirst;
  initialWindow = windowAtFirst;
  maxStreams = Number.POSITIVE_INFINITY;
  maxFrame = 16_384;
  /** No GOAWAY has come. */
  mayOpen = true;
  /** Acknowledgements that are to be sent. */
  settingsAcks = 0;
  readonly pingAcks: Buffer[] = [];

  constructor(limits: TransportLimits) {
    this.limits = limits;
  }

  /** The server has sent it. */
  receive(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void {
    const isLong = type === types.DATA || type === types.HEADERS;
    this.#inbox.push({
      type,
      flags,
      id,
      payload: isLong ? noOctets : Buffer.from(octets.subarray(start, end)),
    });
  }

  /** The client reads up to so many frames. @returns how many there were */
  read(count: number): number {
    const read = this.#inbox.splice(0, count);
    for (const frame of read) this.#take(frame);
    return read.length;
  }

  #take({ type, flags, id, payload }: ServerFrame): void {
    const isAck = (flags & flag.ACK) !== 0;
    const isEnd = (flags & flag.END_STREAM) !== 0;
    const call = this.active.get(id);
    if (type === types.SETTINGS && !isAck) this.#settings(payload);
    else if (type === types.PING && !isAck) this.pingAcks.push(payload);
    else if (type === types.GOAWAY) this.#goaway(payload.readUInt32BE(0));
    else if (type === types.WINDOW_UPDATE && id === 0) this.window += payload.readUInt32BE(0);
    else if (call === undefined) return;
    else if (type === types.WINDOW_UPDATE) call.window += payload.readUInt32BE(0);
    // RFC 9113, 8.1: when the answer has ended, RST_STREAM NO_ERROR says that the rest is not needed.
    else if (type === types.RST_STREAM || (isEnd && call.hasEnded)) this.active.delete(id);
  }

  #settings(payload: Buffer): void {
    for (let at = 0; at < payload.length; at += 6) {
      const id = payload.readUInt16BE(at);
      const value = payload.readUInt32BE(at + 2);
      if (id === ids.maxConcurrentStreams) this.maxStreams = value;
      else if (id === ids.maxFrameSize) this.maxFrame = Math.min(value, this.limits.maxFrameBytes);
      else if (id === ids.initialWindow) {
        for (const call of this.active.values()) call.window += value - this.initialWindow;
        this.initialWindow = value;
      }
    }
    this.settingsAcks += 1;
  }

  /** What the server did not take may be tried elsewhere. */
  #goaway(lastId: number): void {
    this.mayOpen = false;
    for (const id of [...this.active.keys()]) if (id > lastId) this.active.delete(id);
  }
}

const noOctets = Buffer.alloc(0);
