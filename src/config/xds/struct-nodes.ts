import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { YamlMapping, YamlNode, YamlPair } from '../../rules/yaml/yaml-node.ts';
import { pair, plain, type ReportNode, sequence, textNode } from './tree-nodes.ts';

/** Where a Struct stands, and who is told of its faults. */
interface StructPlace {
  readonly offset: number;
  readonly report: ReportNode;
}

/** Messages inside each other. A Value in a list in a Value takes two of these. */
const maxDepth = 200;

/** Reads a google.protobuf.Struct as the mapping that YAML would make of it. Throws where the octets are none. */
export function structNode(octets: Uint8Array, place: StructPlace, depth = 0): YamlMapping {
  if (depth > maxDepth) throw new RangeError('more levels than anybody means');
  // A key that comes again replaces the value before it, as in every map of protobuf.
  const pairs = new Map<string, YamlPair>();
  for (const entry of bytesOfField(octets, 1)) {
    let key = textNode(new Uint8Array(), 'metadata', place.offset, place.report);
    let value: YamlNode = plain(place.offset, 'null');
    const reader = new BinaryReader(entry);
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      if (number === 1 && wireType === 2)
        key = textNode(reader.bytes(), 'metadata', place.offset, place.report);
      else if (number === 2 && wireType === 2) value = valueNode(reader.bytes(), place, depth + 1);
      else reader.skip(wireType, number);
    }
    pairs.set(key.text, pair(place.offset, key.text, value));
  }
  return { kind: 'mapping', offset: place.offset, pairs: [...pairs.values()], isAnchored: false };
}

/** A google.protobuf.Value. */
function valueNode(octets: Uint8Array, place: StructPlace, depth: number): YamlNode {
  const { offset, report } = place;
  const reader = new BinaryReader(octets);
  let node: YamlNode = plain(offset, 'null');
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 2 && wireType === 1) node = plain(offset, numberText(reader.double()));
    else if (number === 3 && wireType === 2) node = textNode(reader.bytes(), 'metadata', offset, report);
    else if (number === 4 && wireType === 0) node = plain(offset, String(reader.bool()));
    else if (number === 5 && wireType === 2) node = structNode(reader.bytes(), place, depth + 1);
    else if (number === 6 && wireType === 2) node = listNode(reader.bytes(), place, depth + 1);
    else reader.skip(wireType, number);
  }
  return node;
}

/** A google.protobuf.ListValue. */
function listNode(octets: Uint8Array, place: StructPlace, depth: number): YamlNode {
  const items = Array.from(bytesOfField(octets, 1), (value) => valueNode(value, place, depth + 1));
  return sequence(place.offset, items);
}

function* bytesOfField(octets: Uint8Array, wanted: number): Generator<Uint8Array> {
  const reader = new BinaryReader(octets);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === wanted && wireType === 2) yield reader.bytes();
    else reader.skip(wireType, number);
  }
}

/** As YAML 1.1 writes it. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return String(value);
}
