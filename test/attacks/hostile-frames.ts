import { gzipSync } from 'node:zlib';
import { block, callFields, flags, frame, grpcMessage } from '../support/http2-frames.ts';

/** The methods that Weir has. */
export const methods = {
  decide: '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit',
  watch: '/grpc.health.v1.Health/Watch',
  reflect: '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
} as const;

const { END_HEADERS, END_STREAM } = flags;

/** The n-th stream of a client, from 0. */
export function streamId(index: number): number {
  return 2 * index + 1;
}

/** HEADERS that begin a call. */
export function begin(
  id: number,
  path: string = methods.decide,
  more: readonly (readonly [string, string])[] = [],
): Buffer {
  return frame('HEADERS', END_HEADERS, id, block(callFields(path, more)));
}

/** DATA, the last of its request unless told otherwise. */
export function data(id: number, octets: Uint8Array = Buffer.alloc(0), isLast = true): Buffer {
  return frame('DATA', isLast ? END_STREAM : 0, id, octets);
}

/** A whole call that is as good as any. */
export function call(id: number): Buffer {
  return Buffer.concat([begin(id), data(id, smallRequest)]);
}

/** A field of protobuf whose type is length-delimited. */
function field(number: number, value: Uint8Array | string): Buffer {
  const octets = Buffer.from(value);
  const length: number[] = [];
  let rest = octets.length;
  for (; rest >= 0x80; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.of((number << 3) | 2, ...length, rest), octets]);
}

/** A RateLimitRequest that asks for the same descriptor so many times. */
export function rateLimitRequest(descriptors: number): Buffer {
  const entry = Buffer.concat([field(1, 'user'), field(2, 'evil')]);
  const descriptor = field(2, field(1, entry));
  return Buffer.concat([field(1, 'attacks'), ...Array.from({ length: descriptors }, () => descriptor)]);
}

export const smallRequest = grpcMessage(rateLimitRequest(1));

/** A question of reflection whose answer is a hundred times as long: `file_containing_symbol`. */
export const longAnswer = grpcMessage(field(4, 'envoy.service.ratelimit.v3.RateLimitService'));

/** The name of a service to watch, of 4 MB. */
export function serviceName(octets: number): Buffer {
  return field(1, Buffer.alloc(octets, 'x'));
}

/** A message in the fewest octets that decompress to it. */
export function compressed(message: Uint8Array): Buffer {
  return grpcMessage(gzipSync(message, { level: 9 }), 1);
}

/** A field that is added to the table: RFC 7541, 6.2.1. Its name has no Huffman code, its value is given with its form. */
export function indexedField(name: string, value: Uint8Array, isHuffman = false): Buffer {
  return Buffer.concat([
    Buffer.of(0x40),
    integer(0x00, 0x7f, name.length),
    Buffer.from(name),
    integer(isHuffman ? 0x80 : 0x00, 0x7f, value.length),
    value,
  ]);
}

/** The table's new bound: RFC 7541, 6.3. */
export function sizeUpdate(bound: number): Buffer {
  return integer(0x20, 0x1f, bound);
}

/** An integer that begins in the lowest bits of an octet: RFC 7541, 5.1. */
function integer(form: number, mask: number, value: number): Buffer {
  if (value < mask) return Buffer.of(form | value);
  const octets = [form | mask];
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) octets.push(0x80 | (rest & 0x7f));
  return Buffer.from([...octets, rest]);
}

/** A header block in frames of the size that is allowed: HEADERS and CONTINUATION. */
export function inFrames(id: number, octets: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < octets.length; at += 16_384) {
    const isLast = at + 16_384 >= octets.length;
    const type = at === 0 ? 'HEADERS' : 'CONTINUATION';
    parts.push(frame(type, isLast ? END_HEADERS : 0, id, octets.subarray(at, at + 16_384)));
  }
  return Buffer.concat(parts);
}

/** Fields of calls whose messages are compressed. */
export const gzipField: readonly (readonly [string, string])[] = [['grpc-encoding', 'gzip']];
