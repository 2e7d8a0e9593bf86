import {
  type DescMessage,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import type { Decision, Failure, Json, JsonObject } from '../../domain/decision.ts';
import type { RateLimitRequest } from '../../domain/descriptor.ts';
import { readRateLimitRequest } from '../grpc/rls-request-reader.ts';
import { writeRateLimitResponse } from '../grpc/rls-response-writer.ts';
import { messageNamed } from '../proto-registry.ts';

/**
 * Requests and answers in protobuf's JSON form ("ProtoJSON format"): both spellings of a field, numbers also as text, enums
 * by name or number; an unknown field is an error. Answers leave default values out.
 */
export interface JsonCodec {
  readRequest(body: Buffer): RateLimitRequest | Failure;
  writeResponse(decision: Decision): string;
}

/** JSON becomes the binary message and goes through the same reader as a gRPC call's, so both mean the same. */
export function createJsonCodec(registry: FileRegistry): JsonCodec {
  const request = messageNamed(registry, 'envoy.service.ratelimit.v3.RateLimitRequest');
  const response = messageNamed(registry, 'envoy.service.ratelimit.v3.RateLimitResponse');
  return {
    readRequest(body) {
      const message = binaryOfJson(request, body);
      return Buffer.isBuffer(message) ? readRateLimitRequest(message) : message;
    },
    writeResponse(decision) {
      const dynamicMetadata = decision.dynamicMetadata && (finite(decision.dynamicMetadata) as JsonObject);
      const message = fromBinary(response, writeRateLimitResponse({ ...decision, dynamicMetadata }));
      return JSON.stringify(toJson(response, message));
    },
  };
}

/** JSON is UTF-8 (RFC 8259, 8.1), so octets that are not are refused here, unlike in gRPC. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function binaryOfJson(type: DescMessage, body: Buffer): Buffer | Failure {
  try {
    const json: JsonValue = JSON.parse(
      utf8.decode(body),
      lossless as (key: string, value: unknown) => unknown,
    );
    return Buffer.from(toBinary(type, fromJson(type, json)));
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    return {
      kind: 'failure',
      code: 'INVALID_ARGUMENT',
      message: `the body is no RateLimitRequest in JSON: ${reason}`,
    };
  }
}

/**
 * Keeps an integer above 2^53 as its text, which protobuf's JSON form takes as well, and replaces half a surrogate pair,
 * which a client that cuts text short may send, by U+FFFD: neither is an error.
 */
function lossless(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? source
    : value;
}

/** JSON has no infinity. A rule's metadata can have one; it shows as text, as protobuf's JSON form writes a double. */
function finite(json: Json): Json {
  if (typeof json === 'number') return Number.isFinite(json) ? json : String(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(finite);
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, finite(value)]));
}
