import type { OctetWriter } from '../../transport/octet-writer.ts';

/** Parts of an encoded protobuf message: "Encoding", Message Structure. Fields are `number << 3 | wire type`. */

/** A whole number from 0 to 2^53-1. */
export function writeVarint(out: OctetWriter, value: number): void {
  out.reserve(8);
  let rest = value;
  // Bits only reach to 2^32.
  for (; rest > 0xffff_ffff; rest = Math.floor(rest / 0x80)) out.octets[out.at++] = (rest % 0x80) | 0x80;
  for (; rest > 0x7f; rest >>>= 7) out.octets[out.at++] = (rest & 0x7f) | 0x80;
  out.octets[out.at++] = rest;
}

/** A number that is left out when it is 0, as proto3 does. */
export function writeNumber(out: OctetWriter, field: number, value: number): void {
  if (value === 0) return;
  out.octet(field);
  writeVarint(out, value);
}

/** Begins a field whose length is not known yet. @returns what {@link endField} wants */
export function beginField(out: OctetWriter, field: number): number {
  out.reserve(2);
  out.octets[out.at++] = field;
  // Nearly every length takes one octet.
  out.at += 1;
  return out.at;
}

export function endField(out: OctetWriter, start: number): void {
  const length = out.at - start;
  if (length < 0x80) {
    out.octets[start - 1] = length;
    return;
  }
  let size = 1;
  for (let rest = length; rest >= 0x80; rest = rest >>> 7) size += 1;
  out.reserve(size);
  out.octets.copyWithin(start - 1 + size, start, out.at);
  out.at = start - 1;
  writeVarint(out, length);
  out.at += length;
}

/** Text that is left out when it is empty. */
export function writeText(out: OctetWriter, field: number, text: string): void {
  if (text === '') return;
  const start = beginField(out, field);
  out.text(text);
  endField(out, start);
}

export function writeBytes(out: OctetWriter, field: number, octets: Uint8Array): void {
  const start = beginField(out, field);
  out.bytes(octets);
  endField(out, start);
}
