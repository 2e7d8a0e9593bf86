/** RFC 9113, section 4.1: length, type, flags, stream. */
export const frameHeadLength = 9;

/** The largest frame that may be sent to one who has not allowed more (RFC 9113, section 4.2). */
const largestFrame = 16_384;

export const frameTypes = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flags = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** A frame where it was read. There is one record for all frames: it is only good until the next one. */
export interface Frame {
  octets: Buffer;
  type: number;
  flags: number;
  stream: number;
  /** The payload is from here ... */
  from: number;
  /** ... to before here. */
  to: number;
}

/**
 * Hands over the whole frames at the beginning of some octets, without copying them.
 * @returns how many octets these were; the rest is the begin of a frame that has not come yet
 */
export function readFrames(octets: Buffer, end: number, onFrame: (frame: Frame) => void): number {
  const frame: Frame = { octets, type: 0, flags: 0, stream: 0, from: 0, to: 0 };
  let at = 0;
  while (end - at >= frameHeadLength) {
    const length = octets.readUIntBE(at, 3);
    if (length > largestFrame) throw new Error(`a frame of ${length} octets, which nobody has allowed`);
    const from = at + frameHeadLength;
    if (from + length > end) break;
    frame.type = octets[at + 3] ?? 0;
    frame.flags = octets[at + 4] ?? 0;
    frame.stream = octets.readUInt32BE(at + 5);
    frame.from = from;
    frame.to = from + length;
    onFrame(frame);
    at = frame.to;
  }
  return at;
}

/** A frame to send. */
export function frameOf(type: number, frameFlags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(frameHeadLength);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = frameFlags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Gives a server octets back for all streams together. */
export function windowUpdateOf(octets: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(octets);
  return frameOf(frameTypes.windowUpdate, 0, 0, payload);
}
