import { isUtf8 } from 'node:buffer';
import type { YamlNode, YamlPair, YamlScalar, YamlSequence } from '../../rules/yaml/yaml-node.ts';

/** Told what is wrong with a resource; the offset is that of a node. */
export type ReportNode = (code: string, offset: number, message: string) => void;

/** A scalar that is a number, a boolean or null. */
export function plain(offset: number, text: string): YamlScalar {
  return { kind: 'scalar', offset, text, isPlain: true, tag: undefined };
}

/** A scalar that is text, whatever it looks like. */
export function quoted(offset: number, text: string): YamlScalar {
  return { kind: 'scalar', offset, text, isPlain: false, tag: undefined };
}

/** A proto3 string, which has to be UTF-8. @param what for the message */
export function textNode(octets: Uint8Array, what: string, offset: number, report: ReportNode): YamlScalar {
  if (!isUtf8(octets)) report('encoding', offset, `'${what}' is not valid UTF-8`);
  return quoted(offset, Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('utf8'));
}

export function sequence(offset: number, items: readonly YamlNode[]): YamlSequence {
  return { kind: 'sequence', offset, items, isAnchored: false };
}

export function pair(offset: number, key: string, value: YamlNode): YamlPair {
  return { key: quoted(offset, key), value };
}
