import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { RulesTree } from '../../rules/parse/parse-tree.ts';
import type { Position } from '../../rules/rules-document.ts';
import type { YamlNode, YamlPair, YamlProblem, YamlScalar } from '../../rules/yaml/yaml-node.ts';
import { configMessage, type ResourceField, type ResourceMessage, unitWords } from './resource-fields.ts';
import { structNode } from './struct-nodes.ts';
import { pair, plain, quoted, sequence, textNode } from './tree-nodes.ts';

/** Descriptors below each other, and the messages in them: as many as protobuf in C++ decodes. */
const maxDepth = 100;

/** Where a message stands. Those that are part of a rule stand where it does: paths lead to descriptors and exemptions. */
interface Place {
  readonly path: string;
  /** Of the descriptor or the resource around it, in `positions`. */
  readonly offset: number;
  readonly depth: number;
}

/** What was sent for one field: of a scalar the last value, of others the octets of each. */
interface Sent {
  readonly field: ResourceField;
  scalar: YamlScalar | undefined;
  readonly parts: Uint8Array[];
}

/**
 * Reads a `ratelimit.config.ratelimit.v3.RateLimitConfig` as the tree that YAML would make of the same rules. Whatever is
 * wrong becomes a problem, and so does a field that is not known: what it asks for would be lost without a word. As proto3
 * demands, the last of a doubled scalar counts, and doubled messages are merged. Never throws.
 *
 * A message is read when its pairs are asked for, which the parser does once. So ten thousand rules are never there as nodes
 * all at once, and what is wrong is only known in the end.
 */
export function readResourceTree(resource: Uint8Array): RulesTree {
  const reading = new ResourceReading();
  const root = reading.message(resource, configMessage, { path: '', offset: 0, depth: 0 });
  return { root, positions: reading.positions, problems: reading.problems };
}

class ResourceReading {
  readonly positions: Position[] = [];
  readonly problems: YamlProblem[] = [];

  readonly #report = (code: string, offset: number, message: string) => {
    this.problems.push({ code, offset, message });
  };

  message(octets: Uint8Array, message: ResourceMessage, place: Place): YamlNode {
    const hasOwnPosition = ['rule', 'file', 'exemption'].includes(message.place);
    const offset = hasOwnPosition ? this.#position(place.path) : place.offset;
    const read = () => this.#pairs(octets, message, place, offset);
    return {
      kind: 'mapping',
      offset,
      get pairs() {
        return read();
      },
      isAnchored: false,
    };
  }

  #position(path: string): number {
    return this.positions.push({ line: 0, column: 0, path }) - 1;
  }

  #pairs(octets: Uint8Array, message: ResourceMessage, place: Place, offset: number): readonly YamlPair[] {
    if (place.depth > maxDepth) {
      this.#report('nesting', offset, `more than ${maxDepth} levels of messages`);
      return [];
    }
    const pairs: YamlPair[] = [];
    for (const sent of this.#sent(octets, message, offset)) {
      if (!isDefault(sent)) pairs.push(pair(offset, sent.field.key, this.#value(sent, offset, place)));
    }
    if (message.place === 'rate_limit') addRequests(pairs, offset);
    return pairs;
  }

  /** The fields of a message that are keys of the language. */
  #sent(octets: Uint8Array, message: ResourceMessage, offset: number): Iterable<Sent> {
    const found = new Map<number, Sent>();
    const reader = new BinaryReader(octets);
    try {
      while (reader.pos < reader.len) {
        const [number, wireType] = reader.tag();
        const field = message.fields.get(number);
        if (field === undefined || wireType !== wireTypeOf(field)) {
          this.#report('unknown-field', offset, `field ${number} of wire type ${wireType} is not known`);
          reader.skip(wireType, number);
        } else if (field.kind === 'name') {
          reader.skip(wireType, number);
        } else {
          const sent = found.get(number) ?? { field, scalar: undefined, parts: [] };
          found.set(number, sent);
          this.#take(reader, sent, offset);
        }
      }
    } catch {
      this.#report(
        'malformed-resource',
        offset,
        'these octets are no message: it ends too early, or a length is wrong',
      );
    }
    return found.values();
  }

  #take(reader: BinaryReader, sent: Sent, offset: number): void {
    const { key, kind } = sent.field;
    if (kind === 'text') sent.scalar = textNode(reader.bytes(), key, offset, this.#report);
    else if (kind === 'flag') sent.scalar = plain(offset, String(reader.bool()));
    else if (kind === 'count') sent.scalar = plain(offset, String(reader.uint32()));
    else if (kind === 'unit') sent.scalar = unitNode(reader.int32(), offset);
    else sent.parts.push(reader.bytes());
  }

  #value({ field, scalar, parts }: Sent, offset: number, { path, depth }: Place): YamlNode {
    if (scalar !== undefined) return scalar;
    const below = { path, offset, depth: depth + 1 };
    if (field.kind === 'messages') {
      const list = path === '' ? field.key : `${path}.${field.key}`;
      const items = parts.map((octets, index) =>
        this.message(octets, field.message, { ...below, path: `${list}[${index}]` }),
      );
      return sequence(offset, items);
    }
    if (field.kind === 'repeated') {
      const items = parts.map((octets) => textNode(octets, field.key, offset, this.#report));
      return sequence(offset, items);
    }
    const [only] = parts;
    const octets = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
    if (field.kind === 'message') return this.message(octets, field.message, below);
    return field.kind === 'texts' ? this.#texts(octets, field.key, offset) : this.#struct(octets, offset);
  }

  /** A message whose only field is a list of texts. */
  #texts(octets: Uint8Array, key: string, offset: number): YamlNode {
    const items: YamlNode[] = [];
    const reader = new BinaryReader(octets);
    try {
      while (reader.pos < reader.len) {
        const [number, wireType] = reader.tag();
        if (number === 1 && wireType === WireType.LengthDelimited) {
          items.push(textNode(reader.bytes(), key, offset, this.#report));
        } else {
          this.#report('unknown-field', offset, `field ${number} of '${key}' is not known`);
          reader.skip(wireType, number);
        }
      }
    } catch {
      this.#report('malformed-resource', offset, `'${key}' is no message`);
    }
    return sequence(offset, items);
  }

  #struct(octets: Uint8Array, offset: number): YamlNode {
    try {
      return structNode(octets, { offset, report: this.#report });
    } catch {
      this.#report(
        'malformed-resource',
        offset,
        "'metadata' is no google.protobuf.Struct, or has too many levels",
      );
      return plain(offset, 'null');
    }
  }
}

function wireTypeOf({ kind }: ResourceField): WireType {
  return kind === 'flag' || kind === 'count' || kind === 'unit' ? WireType.Varint : WireType.LengthDelimited;
}

function unitNode(number: number, offset: number): YamlScalar {
  return quoted(offset, unitWords[number] ?? String(number));
}

/** What proto3 takes for nothing. */
function isDefault({ field: { kind }, scalar }: Sent): boolean {
  return (kind === 'text' && scalar?.text === '') || (kind === 'unit' && scalar?.text === unitWords[0]);
}

/** proto3 does not send 0. In a file its lack is pointed out, as it denies everything; here it is how 0 is written. */
function addRequests(pairs: YamlPair[], offset: number): void {
  const has = (name: string) =>
    pairs.some(({ key, value }) => nameOf(key) === name && nameOf(value) !== 'false');
  if (!has('unlimited') && !has('requests_per_unit'))
    pairs.push(pair(offset, 'requests_per_unit', plain(offset, '0')));
}

function nameOf(node: YamlNode): string | undefined {
  return node.kind === 'scalar' ? node.text : undefined;
}
