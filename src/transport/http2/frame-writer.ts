import type { OctetWriter } from '../octet-writer.ts';
import { frameFlag, frameHeadBytes, frameType } from './frame.ts';

/** The head of a frame, RFC 9113, section 4.1; its payload is written behind it. */
export function writeFrameHead(
  out: OctetWriter,
  length: number,
  type: number,
  flags: number,
  streamId: number,
): void {
  out.reserve(frameHeadBytes + length);
  putFrameHead(out.octets, out.at, length, type, flags, streamId);
  out.at += frameHeadBytes;
}

/** The same in a place that was left free for it. */
export function putFrameHead(
  octets: Buffer,
  at: number,
  length: number,
  type: number,
  flags: number,
  streamId: number,
): void {
  octets[at] = length >>> 16;
  octets[at + 1] = length >>> 8;
  octets[at + 2] = length;
  octets[at + 3] = type;
  octets[at + 4] = flags;
  octets[at + 5] = streamId >>> 24;
  octets[at + 6] = streamId >>> 16;
  octets[at + 7] = streamId >>> 8;
  octets[at + 8] = streamId;
}

/** Identifiers and values: RFC 9113, section 6.5. */
export function writeSettings(
  out: OctetWriter,
  settings: readonly (readonly [id: number, value: number])[],
): void {
  writeFrameHead(out, 6 * settings.length, frameType.SETTINGS, 0, 0);
  for (const [id, value] of settings) {
    out.octet(id >>> 8);
    out.octet(id);
    out.uint32(value);
  }
}

export function writeSettingsAck(out: OctetWriter): void {
  writeFrameHead(out, 0, frameType.SETTINGS, frameFlag.ACK, 0);
}

/** RFC 9113, section 6.7. */
export function writePing(out: OctetWriter, flags: number, payload: Uint8Array): void {
  writeFrameHead(out, 8, frameType.PING, flags, 0);
  out.bytes(payload);
}

/** RFC 9113, section 6.8. */
export function writeGoaway(out: OctetWriter, lastStreamId: number, code: number, debug: string): void {
  const text = Buffer.from(debug);
  writeFrameHead(out, 8 + text.length, frameType.GOAWAY, 0, 0);
  out.uint32(lastStreamId);
  out.uint32(code);
  out.bytes(text);
}

/** RFC 9113, section 6.4. */
export function writeReset(out: OctetWriter, streamId: number, code: number): void {
  writeFrameHead(out, 4, frameType.RST_STREAM, 0, streamId);
  out.uint32(code);
}

/** RFC 9113, section 6.9. Stream 0 is the connection. */
export function writeWindowUpdate(out: OctetWriter, streamId: number, octets: number): void {
  writeFrameHead(out, 4, frameType.WINDOW_UPDATE, 0, streamId);
  out.uint32(octets);
}
