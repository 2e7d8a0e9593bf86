import type { OctetWriter } from '../octet-writer.ts';
import type { CallFault } from '../transport-event.ts';
import { type ConnectionError, flowControlError, frameSizeError, protocolError } from './connection-error.ts';
import type { FloodGuard } from './flood-guard.ts';
import { type ErrorCode, errorCode, frameFlag, maxInt31 } from './frame.ts';
import { writePing, writeSettingsAck } from './frame-writer.ts';
import type { Outbound } from './outbound.ts';
import type { PeerSettings } from './peer-settings.ts';
import type { Http2Stream } from './stream.ts';
import type { StreamTable } from './stream-table.ts';

/** What frames that are no part of a request need of their session. */
export interface ControlledSession {
  readonly streams: StreamTable;
  readonly guard: FloodGuard;
  readonly outbound: Outbound;
  readonly now: number;
  resetStream(id: number, code: ErrorCode, fault: CallFault | undefined): void;
  closeStream(stream: Http2Stream): void;
  /** The PING of a drain has come back. */
  lastCalls(): void;
  wrote(): void;
}

/** The payload of the PING that follows the first GOAWAY. */
export const drainPing = Buffer.from('weirdrai', 'latin1');

/** All frames but those of requests: RFC 9113, sections 6.3 to 6.9. */
export class ControlFrames {
  readonly #session: ControlledSession;
  readonly #peer: PeerSettings;
  readonly #out: OctetWriter;
  settingsSeen = false;
  settingsAcked = false;

  constructor(session: ControlledSession, peer: PeerSettings, out: OctetWriter) {
    this.#session = session;
    this.#peer = peer;
    this.#out = out;
  }

  /** RFC 9113, section 6.5. */
  settings(
    flags: number,
    id: number,
    octets: Buffer,
    start: number,
    end: number,
  ): ConnectionError | undefined {
    if (id !== 0) return protocolError;
    if ((flags & frameFlag.ACK) !== 0) {
      this.settingsAcked = true;
      return start === end ? undefined : frameSizeError;
    }
    const { guard, outbound, streams, now } = this.#session;
    const windowBefore = this.#peer.initialWindow;
    const error = guard.settings(now) ?? this.#peer.apply(octets, start, end);
    if (error !== undefined) return error;
    this.settingsSeen = true;
    writeSettingsAck(this.#out);
    this.#session.wrote();
    const change = this.#peer.initialWindow - windowBefore;
    return change === 0 || outbound.widenAll(streams.all(), change) ? undefined : flowControlError;
  }

  /** RFC 9113, section 6.9. */
  windowUpdate(id: number, octets: Buffer, start: number, end: number): ConnectionError | undefined {
    if (end - start !== 4) return frameSizeError;
    const { guard, outbound, streams } = this.#session;
    const stream = streams.get(id);
    // RFC 9113, 5.1: a stream that was closed may still get some.
    if (id !== 0 && stream === undefined) return streams.isIdle(id) ? protocolError : guard.windowUpdate();
    const increment = octets.readUInt32BE(start) & maxInt31;
    const isSound = increment > 0 && outbound.widen(stream, increment);
    this.#session.wrote();
    if (isSound) return guard.windowUpdate();
    if (stream === undefined) return increment === 0 ? protocolError : flowControlError;
    if (increment === 0) this.#session.resetStream(id, errorCode.PROTOCOL_ERROR, 'stream-protocol');
    else this.#session.resetStream(id, errorCode.FLOW_CONTROL_ERROR, 'stream-flow-control');
    return undefined;
  }

  /**
   * RFC 9113, section 6.4: the caller does not want the answer any more. Which code it gives does not matter: Envoy gives
   * INTERNAL_ERROR.
   */
  rstStream(id: number, length: number): ConnectionError | undefined {
    const { guard, streams, now } = this.#session;
    if (length !== 4) return frameSizeError;
    if (id === 0 || streams.isIdle(id)) return protocolError;
    const stream = streams.get(id);
    if (stream === undefined) return undefined;
    this.#session.closeStream(stream);
    return guard.reset(now - stream.openedAt, now);
  }

  /** RFC 9113, section 6.7. */
  ping(flags: number, id: number, payload: Buffer): ConnectionError | undefined {
    if (id !== 0) return protocolError;
    if (payload.length !== 8) return frameSizeError;
    if ((flags & frameFlag.ACK) !== 0) {
      // Those that nobody asked for are ignored.
      if (payload.equals(drainPing)) this.#session.lastCalls();
      return undefined;
    }
    writePing(this.#out, frameFlag.ACK, payload);
    this.#session.wrote();
    return this.#session.guard.ping(this.#session.now);
  }

  /** RFC 9113, 5.3.2: deprecated and ignored, but for its form. Idle streams may be named. */
  priority(id: number, octets: Buffer, start: number, end: number): ConnectionError | undefined {
    if (id === 0) return protocolError;
    const isWhole = end - start === 5;
    if (isWhole && (octets.readUInt32BE(start) & maxInt31) !== id) return this.#session.guard.priority();
    // A stream that is not there cannot be reset.
    if (this.#session.streams.isIdle(id)) return isWhole ? protocolError : frameSizeError;
    const code = isWhole ? errorCode.PROTOCOL_ERROR : errorCode.FRAME_SIZE_ERROR;
    this.#session.resetStream(id, code, 'stream-protocol');
    return undefined;
  }

  /** RFC 9113, section 6.8. The client opens no more streams; those that are open are finished. It will close. */
  goaway(id: number, length: number): ConnectionError | undefined {
    if (id !== 0) return protocolError;
    return length < 8 ? frameSizeError : undefined;
  }
}
