import type { Json, JsonObject } from '../../src/domain/decision.ts';
import type { Message } from '../support/grpc-client.ts';

/** A RateLimitRequest in proto3 JSON, as the message that proto-loader encodes: wrappers are messages there. */
export function requestOfJson(json: Json): Message {
  const { descriptors = [], ...request } = json as { descriptors?: readonly JsonObject[] };
  return {
    ...request,
    descriptors: descriptors.map(({ hitsAddend, ...descriptor }) => ({
      ...descriptor,
      ...(hitsAddend === undefined ? {} : { hitsAddend: { value: hitsAddend } }),
    })),
  };
}

/**
 * A decoded RateLimitResponse in proto3 JSON, default values left out. Fields that this does not know are kept as they
 * are, so that an answer with something added is seen to have it.
 */
export function jsonOfResponse(response: Message): Json {
  const { statuses, dynamicMetadata, ...others } = response;
  return withoutDefaults({
    ...others,
    statuses: (statuses as Message[] | undefined)?.map(jsonOfStatus),
    dynamicMetadata: dynamicMetadata === undefined ? undefined : jsonOfStruct(dynamicMetadata as Message),
    responseHeadersToAdd: (others['responseHeadersToAdd'] as Message[] | undefined)?.map(withoutDefaults),
  });
}

function jsonOfStatus({ currentLimit, durationUntilReset, ...others }: Message): Json {
  return withoutDefaults({
    ...others,
    currentLimit: currentLimit === undefined ? undefined : withoutDefaults(currentLimit as Message),
    durationUntilReset:
      durationUntilReset === undefined ? undefined : jsonOfDuration(durationUntilReset as Message),
  });
}

/** An absent field and its default value are the same; a message that is there is not, even if it is empty. */
function withoutDefaults(message: Message): JsonObject {
  const fields = Object.entries(message).filter(([name, value]) => !isDefault(name, value));
  return Object.fromEntries(fields) as JsonObject;
}

const enumFields: readonly string[] = ['code', 'overallCode', 'unit'];

function isDefault(name: string, value: unknown): boolean {
  if (enumFields.includes(name)) return value === 'UNKNOWN';
  return value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}

function jsonOfDuration({ seconds = '0', nanos = 0 }: Message): string {
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0')}`;
  return `${seconds}${fraction}s`;
}

function jsonOfStruct({ fields = {} }: Message): Json {
  const entries = Object.entries(fields as Record<string, Message>);
  return Object.fromEntries(entries.map(([name, value]) => [name, jsonOfValue(value)]));
}

function jsonOfValue(value: Message): Json {
  switch (value['kind']) {
    case 'structValue':
      return jsonOfStruct(value['structValue'] as Message);
    case 'listValue':
      return ((value['listValue'] as { values?: Message[] }).values ?? []).map(jsonOfValue);
    case 'numberValue':
      return jsonOfNumber(value['numberValue'] as number);
    case 'nullValue':
      return null;
    default:
      return value[String(value['kind'])] as Json;
  }
}

/** Numbers that JSON does not have are texts in proto3 JSON. */
function jsonOfNumber(value: number): Json {
  return Number.isFinite(value) ? value : String(value);
}
