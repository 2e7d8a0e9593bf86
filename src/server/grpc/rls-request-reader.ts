import { type Failure, invalidArgument } from '../../domain/decision.ts';
import type { Descriptor, Entry, LimitOverride, RateLimitRequest } from '../../domain/descriptor.ts';
import type { Octets } from '../../domain/octets.ts';
import { type RequestBounds, tooManyDescriptors, tooManyEntries } from '../../domain/request-bounds.ts';
import { appended } from '../../domain/short-list.ts';
import type { Unit } from '../../domain/unit.ts';
import { KnownTexts } from './known-texts.ts';
import { WireReader } from './wire-reader.ts';

/**
 * Units by their number in requests. Envoy's `envoy.type.v3.RateLimitUnit` ends with YEAR; the reference casts the number
 * to the enum of its answers, where 7 is WEEK, so it works for its users too.
 */
const unitOfNumber: readonly (Unit | undefined)[] = [
  undefined,
  'SECOND',
  'MINUTE',
  'HOUR',
  'DAY',
  'MONTH',
  'YEAR',
  'WEEK',
];

/** Fields of the messages as `number << 3 | wire type`. */
const requestField = { domain: 0x0a, descriptors: 0x12, hitsAddend: 0x18 } as const;
const descriptorField = { entries: 0x0a, limit: 0x12, hitsAddend: 0x1a, isNegativeHits: 0x20 } as const;
const entryField = { key: 0x0a, value: 0x12 } as const;
const overrideField = { requestsPerUnit: 0x08, unit: 0x10 } as const;
const wrapperField = { value: 0x08 } as const;

const noOctets = '' as Octets;
/** Of all requests: domains and keys are those of the rules. */
const knownTexts = new KnownTexts();
const noDescriptors: readonly Descriptor[] = Object.freeze([]);
const noEntries: readonly Entry[] = Object.freeze([]);

/**
 * Decodes an `envoy.service.ratelimit.v3.RateLimitRequest`.
 *
 * Unlike generated decoders it keeps text as octets (a header's octets reach it from Envoy unchanged, and a string that is
 * not UTF-8 must not be an error) and takes addends up to 2^64-1. As proto3 demands, unknown fields are skipped, the last
 * of a doubled scalar counts, and doubled messages are merged.
 *
 * Octets that are no such message are INVALID_ARGUMENT: the caller is wrong, and will be again. So is a message with more
 * descriptors or entries than the bounds allow; nothing of it is read beyond them, since two octets make a descriptor.
 */
export function readRateLimitRequest(message: Buffer, bounds: RequestBounds): RateLimitRequest | Failure {
  const reader = new WireReader(message);
  const end = message.length;
  let descriptors: readonly Descriptor[] = noDescriptors;
  let domain = noOctets;
  let hitsAddend = 0;
  while (reader.at < end) {
    const tag = reader.tag(end);
    if (tag === requestField.descriptors) {
      if (descriptors.length === bounds.maxDescriptors) return tooManyDescriptors(bounds);
      const descriptor = readDescriptor(reader, reader.lengthDelimited(end), bounds.maxEntries);
      if (descriptor.entries.length > bounds.maxEntries) return tooManyEntries(descriptors.length, bounds);
      descriptors = appended(descriptors, descriptor);
    } else if (tag === requestField.domain) domain = reader.knownText(end, knownTexts);
    else if (tag === requestField.hitsAddend) hitsAddend = reader.varint(end);
    else reader.skip(tag, end);
  }
  return reader.failedAt < 0 ? { domain, descriptors, hitsAddend } : malformed(reader.failedAt);
}

/** Stops after the first entry that is too many. */
function readDescriptor(reader: WireReader, end: number, maxEntries: number): Descriptor {
  let entries: readonly Entry[] = noEntries;
  let limit: LimitOverride | undefined;
  let hitsAddend: number | undefined;
  let isNegativeHits = false;
  while (reader.at < end && entries.length <= maxEntries) {
    const tag = reader.tag(end);
    if (tag === descriptorField.entries)
      entries = appended(entries, readEntry(reader, reader.lengthDelimited(end)));
    else if (tag === descriptorField.limit) limit = readOverride(reader, reader.lengthDelimited(end), limit);
    else if (tag === descriptorField.hitsAddend)
      hitsAddend = readWrapper(reader, reader.lengthDelimited(end), hitsAddend);
    else if (tag === descriptorField.isNegativeHits) isNegativeHits = reader.uint64(end) !== 0;
    else reader.skip(tag, end);
  }
  return { entries, limit, hitsAddend, isNegativeHits };
}

function readEntry(reader: WireReader, end: number): Entry {
  let key = noOctets;
  let value = noOctets;
  while (reader.at < end) {
    const tag = reader.tag(end);
    if (tag === entryField.key) key = reader.knownText(end, knownTexts);
    else if (tag === entryField.value) value = reader.text(end);
    else reader.skip(tag, end);
  }
  return { key, value };
}

function readOverride(reader: WireReader, end: number, earlier: LimitOverride | undefined): LimitOverride {
  let requestsPerUnit = earlier?.requestsPerUnit ?? 0;
  let unit = earlier?.unit;
  while (reader.at < end) {
    const tag = reader.tag(end);
    if (tag === overrideField.requestsPerUnit) requestsPerUnit = reader.varint(end);
    else if (tag === overrideField.unit) unit = unitOfNumber[reader.varint(end)];
    else reader.skip(tag, end);
  }
  return { requestsPerUnit, unit };
}

/** A google.protobuf.UInt64Value. An empty one is 0, which is not the same as none. */
function readWrapper(reader: WireReader, end: number, earlier: number | undefined): number {
  let value = earlier ?? 0;
  while (reader.at < end) {
    const tag = reader.tag(end);
    if (tag === wrapperField.value) value = reader.uint64(end);
    else reader.skip(tag, end);
  }
  return value;
}

function malformed(at: number): Failure {
  return invalidArgument(`malformed RateLimitRequest: octet ${at} of the message can't be read`);
}
