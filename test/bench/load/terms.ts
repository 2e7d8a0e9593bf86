import { type Frame, flags, frameOf, frameTypes, windowUpdateOf } from './frames.ts';
import type { Outbox } from './outbox.ts';
import { readAllowedStreams } from './server-settings.ts';

/** Both directions, until it is said otherwise (RFC 9113, section 6.9.2). */
const windowAtStart = 65_535;

/** Of the 24 MiB that the opening gives to the server, so much may be used before it is given back. */
const returnedAtOnce = 8 * 1024 * 1024;

/** What client and server have agreed on for a whole connection, and what it takes to keep to it. */
export class ConnectionTerms {
  readonly #outbox: Outbox;
  readonly #wantedStreams: number;
  #streams: number;
  #sendWindow = windowAtStart;
  #received = 0;

  /** @param streams as many as the client wants to have open at most */
  constructor(outbox: Outbox, streams: number) {
    this.#outbox = outbox;
    this.#wantedStreams = streams;
    this.#streams = streams;
  }

  /** Whether one more call, with so much DATA, may be sent to those in flight. */
  allow(inFlight: number, octets: number): boolean {
    return inFlight < this.#streams && octets <= this.#sendWindow;
  }

  /** DATA was sent. */
  sent(octets: number): void {
    this.#sendWindow -= octets;
  }

  /** DATA has come, of whatever stream; that is given back to the server in large parts. */
  received(octets: number): void {
    this.#received += octets;
    if (this.#received < returnedAtOnce) return;
    this.#outbox.add(windowUpdateOf(this.#received));
    this.#received = 0;
  }

  /** SETTINGS, PING and WINDOW_UPDATE; what else there is, a client may ignore. */
  take({ octets, type, flags: set, stream, from, to }: Frame): void {
    if (type === frameTypes.windowUpdate) {
      // One stream's window does not matter: no request is as large as that.
      if (stream === 0) this.#sendWindow += octets.readUInt32BE(from) & 0x7fff_ffff;
      return;
    }
    if ((set & flags.ack) !== 0) return;
    if (type === frameTypes.settings) {
      const allowed = readAllowedStreams(octets.subarray(from, to)) ?? this.#streams;
      this.#streams = Math.min(this.#wantedStreams, allowed);
      this.#outbox.add(frameOf(frameTypes.settings, flags.ack, 0, Buffer.alloc(0)));
    } else if (type === frameTypes.ping) {
      this.#outbox.add(frameOf(frameTypes.ping, flags.ack, 0, octets.subarray(from, to)));
    }
  }
}
