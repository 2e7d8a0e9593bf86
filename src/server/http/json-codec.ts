import { type DescMessage, fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import {
  type Decision,
  type Failure,
  invalidArgument,
  type Json,
  type JsonObject,
} from '../../domain/decision.ts';
import type { RateLimitRequest } from '../../domain/descriptor.ts';
import type { RequestBounds } from '../../domain/request-bounds.ts';
import { OctetWriter } from '../../transport/octet-writer.ts';
import { readRateLimitRequest } from '../grpc/rls-request-reader.ts';
import { writeRateLimitResponse } from '../grpc/rls-response-writer.ts';
import { messageNamed, type ProtoRegistry } from '../proto-registry.ts';
import { findExcess, tolerate } from './request-json.ts';

/**
 * Requests and answers in protobuf's JSON form ("ProtoJSON format"): both spellings of a field, numbers also as text, enums
 * by name or number; an unknown field is an error. Answers leave default values out.
 */
export interface JsonCodec {
  readRequest(body: Buffer): RateLimitRequest | Failure;
  writeResponse(decision: Decision): string;
}

export interface JsonCodecOptions {
  /** Has the messages of the service. */
  readonly registry: ProtoRegistry;
  /** Of a request; beyond them it is not decoded. */
  readonly bounds: RequestBounds;
}

/** JSON becomes the binary message and goes through the same reader as a gRPC call's, so both mean the same. */
export function createJsonCodec({ registry, bounds }: JsonCodecOptions): JsonCodec {
  const request = messageNamed(registry, 'envoy.service.ratelimit.v3.RateLimitRequest');
  const response = messageNamed(registry, 'envoy.service.ratelimit.v3.RateLimitResponse');
  return {
    readRequest(body) {
      const message = binaryOfJson(request, body, bounds);
      return Buffer.isBuffer(message) ? readRateLimitRequest(message, bounds) : message;
    },
    writeResponse(decision) {
      const dynamicMetadata = decision.dynamicMetadata && (finite(decision.dynamicMetadata) as JsonObject);
      const out = new OctetWriter(0);
      writeRateLimitResponse({ ...decision, dynamicMetadata }, out);
      const message = fromBinary(response, out.take());
      return JSON.stringify(toJson(response, message));
    },
  };
}

/** JSON is UTF-8 (RFC 8259, 8.1), so octets that are not are refused here, unlike in gRPC. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function binaryOfJson(type: DescMessage, body: Buffer, bounds: RequestBounds): Buffer | Failure {
  try {
    const json: JsonValue = JSON.parse(utf8.decode(body));
    const excess = findExcess(json, bounds);
    if (excess !== undefined) return excess;
    tolerate(json);
    return Buffer.from(toBinary(type, fromJson(type, json)));
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    return invalidArgument(`the body is no RateLimitRequest in JSON: ${reason}`);
  }
}

/** JSON has no infinity. A rule's metadata can have one; it shows as text, as protobuf's JSON form writes a double. */
function finite(json: Json): Json {
  if (typeof json === 'number') return Number.isFinite(json) ? json : String(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(finite);
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, finite(value)]));
}
