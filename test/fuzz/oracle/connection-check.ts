import { flags as flag, types } from '../../support/http2-frames.ts';
import type { ClientView } from './client-view.ts';
import { Fault } from './fault.ts';

const anyStream = 0x7fff_ffff;
const drainPing = Buffer.from('weirdrai').readBigUInt64BE();

/** Frames of the server that are about the connection. */
export class ConnectionCheck {
  readonly #view: ClientView;
  readonly #window: number;
  isGreeted = false;
  #acks = 0;
  #drainPings = 0;
  /** Of the GOAWAY that ends the connection; 0 while there was none. */
  errorCode = 0;

  /** @param window the server's for the connection */
  constructor(view: ClientView, window: number) {
    this.#view = view;
    this.#window = window;
  }

  /** All SETTINGS were acknowledged, and all PINGs came back. */
  get isAllAnswered(): boolean {
    return this.#acks === this.#view.settingsCount && this.#view.pings.length === 0;
  }

  frame(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void {
    if (id !== 0) throw new Fault('frames are of the right stream', `type ${type} on stream ${id}`);
    if (!this.isGreeted && type !== types.SETTINGS && type !== types.GOAWAY) {
      throw new Fault('SETTINGS come first', `type ${type}`);
    }
    if (type === types.SETTINGS) this.#settings((flags & flag.ACK) !== 0, end - start);
    else if (type === types.WINDOW_UPDATE) this.#windowUpdate(end - start, octets.readUInt32BE(start));
    else if (type === types.PING)
      this.#ping((flags & flag.ACK) !== 0, end - start, octets.readBigUInt64BE(start));
    else if (type === types.GOAWAY) this.#goaway(octets.readUInt32BE(start), octets.readUInt32BE(start + 4));
    else throw new Fault('frames are of the right stream', `type ${type} on stream 0`);
  }

  #settings(isAck: boolean, length: number): void {
    if (!isAck) {
      if (this.isGreeted || length % 6 !== 0) throw new Fault('SETTINGS come once');
      this.isGreeted = true;
      return;
    }
    this.#acks += 1;
    const isSound = length === 0 && this.#acks <= this.#view.settingsCount;
    if (!isSound) throw new Fault('SETTINGS are acknowledged once');
  }

  #windowUpdate(length: number, octets: number): void {
    const view = this.#view;
    view.receiveWindow += octets;
    const isSound = length === 4 && octets > 0 && octets <= 0x7fff_ffff;
    if (!isSound) throw new Fault('WINDOW_UPDATE is sound', `${octets} on the connection`);
    if (view.receiveWindow > this.#window)
      throw new Fault('no octet is given back twice', `${view.receiveWindow}`);
  }

  #ping(isAck: boolean, length: number, payload: bigint): void {
    if (length !== 8) throw new Fault('PING is sound');
    if (isAck) {
      if (this.#view.pings.shift() !== payload) throw new Fault('PING comes back as it was');
      return;
    }
    this.#drainPings += 1;
    if (this.#drainPings > 1 || payload !== drainPing) throw new Fault('PING is sent once, to drain');
  }

  #goaway(lastId: number, code: number): void {
    const { highestId, previousId, lastId: lastBefore } = this.#view;
    if (lastId > lastBefore) throw new Fault('the last stream of GOAWAY does not rise', `${lastId}`);
    const isRight = lastId === highestId || lastId === previousId || lastId === lastBefore;
    const isAnnounced = lastId === anyStream && code === 0;
    if (!isRight && !isAnnounced) {
      throw new Fault('GOAWAY has the last stream', `${lastId}, not ${highestId}`);
    }
    this.#view.lastId = lastId;
    this.errorCode = code;
  }
}
