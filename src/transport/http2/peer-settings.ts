import {
  type ConnectionError,
  excess,
  flowControlError,
  frameSizeError,
  protocolError,
} from './connection-error.ts';
import { defaultWindowBytes, maxInt31 } from './frame.ts';

/** RFC 9113, section 6.5.2. */
export const settingId = Object.freeze({
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
} as const);

const settingBytes = 6;
const defaultHeaderTableSize = 4_096;
const leastMaxFrameSize = 16_384;

/** One SETTINGS frame has room for 2,730; no client has a use for more than a few. */
const maxSettings = 32;

/** What the client says of itself. MAX_CONCURRENT_STREAMS is about pushed streams, of which there are none. */
export class PeerSettings {
  /** What a stream's send window begins with. */
  initialWindow = defaultWindowBytes;
  maxFrameSize = leastMaxFrameSize;
  /** Smaller than our encoder's table could be, which it must then say in its next block: RFC 7541, 4.2. */
  headerTableShrank = false;

  /** Takes in the payload of a SETTINGS frame. @returns the connection error that it is */
  apply(octets: Buffer, start: number, end: number): ConnectionError | undefined {
    if ((end - start) % settingBytes !== 0) return frameSizeError;
    if (end - start > maxSettings * settingBytes) return excess('settings');
    for (let at = start; at < end; at += settingBytes) {
      const problem = this.#applyOne(octets.readUInt16BE(at), octets.readUInt32BE(at + 2));
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #applyOne(id: number, value: number): ConnectionError | undefined {
    switch (id) {
      case settingId.HEADER_TABLE_SIZE:
        if (value < defaultHeaderTableSize) this.headerTableShrank = true;
        return undefined;
      case settingId.ENABLE_PUSH:
        return value > 1 ? protocolError : undefined;
      case settingId.INITIAL_WINDOW_SIZE:
        if (value > maxInt31) return flowControlError;
        this.initialWindow = value;
        return undefined;
      case settingId.MAX_FRAME_SIZE:
        if (value < leastMaxFrameSize || value > 0xff_ffff) return protocolError;
        this.maxFrameSize = value;
        return undefined;
      default:
        // RFC 9113, 6.5.2: unknown ones are ignored. gRPC's C core sends 0xfe03.
        return undefined;
    }
  }
}
