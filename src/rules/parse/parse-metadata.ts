import type { Json, JsonObject } from '../../domain/decision.ts';
import type { YamlMapping, YamlNode, YamlScalar } from '../yaml/yaml-node.ts';
import { resolveScalar } from '../yaml/yaml-scalar.ts';
import type { Reading } from './reading.ts';

/**
 * A rule's `metadata` as JSON. Keys of the first level are the text that stands there; below, a key that YAML takes for a
 * number or a boolean becomes what that prints (`on` becomes `true`), as in the reference.
 */
export function parseMetadata(reading: Reading, node: YamlNode): JsonObject | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  let metadata: JsonObject | undefined;
  if (content.kind === 'mapping') {
    metadata = toObject(reading, content, (scalar) => scalar.text);
  } else if (content.kind === 'sequence' || resolveScalar(content).kind !== 'null') {
    reading.report('error', 'wrong-type', node, "'metadata' is a mapping");
  }
  reading.walk.leave(node);
  return metadata;
}

function toJson(reading: Reading, node: YamlNode): Json {
  const content = reading.walk.enter(node);
  if (content === undefined) return null;
  let json: Json;
  if (content.kind === 'scalar') json = scalarToJson(reading, node, content);
  else if (content.kind === 'mapping') json = toObject(reading, content, printedKey);
  else json = content.items.map((item) => toJson(reading, item));
  reading.walk.leave(node);
  return json;
}

/** Made from entries, so that a key `__proto__` is a key like any other. */
function toObject(reading: Reading, mapping: YamlMapping, keyOf: (scalar: YamlScalar) => string): JsonObject {
  const entries = new Map<string, Json>();
  for (const { key, value } of reading.walk.pairs(mapping)) {
    const content = key.kind === 'alias' ? key.target : key;
    if (content?.kind === 'scalar') entries.set(keyOf(content), toJson(reading, value));
    else reading.report('error', 'key-not-text', key, 'a key of metadata cannot be a list or a mapping');
  }
  return Object.fromEntries(entries);
}

function printedKey(scalar: YamlScalar): string {
  const value = resolveScalar(scalar);
  switch (value.kind) {
    case 'boolean':
    case 'integer':
    case 'float':
      return String(value.value);
    case 'text':
      return value.value;
    default:
      return scalar.text;
  }
}

function scalarToJson(reading: Reading, node: YamlNode, scalar: YamlScalar): Json {
  const value = resolveScalar(scalar);
  switch (value.kind) {
    case 'null':
      return null;
    case 'float':
      // JSON has no such number; as in Protobuf's JSON, it is a text.
      return Number.isFinite(value.value) ? value.value : String(value.value);
    case 'fault':
      reading.report('error', 'wrong-type', node, value.message);
      return null;
    default:
      return value.value;
  }
}
