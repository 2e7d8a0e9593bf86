import { nearestWord } from '../../rules/nearest-word.ts';
import { parseText } from '../../rules/parse/parse-values.ts';
import type { Reading } from '../../rules/parse/reading.ts';
import { shorten } from '../../rules/parse/shorten.ts';
import type { YamlNode } from '../../rules/yaml/yaml-node.ts';

/** The keys of a mapping in a file, each at most once. */
export type MappingKeys = ReadonlyMap<string, YamlNode>;

/**
 * Reads a mapping with these keys and no others; anything else is reported.
 * @param what how messages call it
 * @param take makes something of the keys that are there
 */
export function readMapping<T>(
  reading: Reading,
  node: YamlNode,
  { what, known }: { readonly what: string; readonly known: readonly string[] },
  take: (keys: MappingKeys) => T,
): T | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  if (content.kind !== 'mapping') {
    report(reading, node, 'wrong-type', `${what} must be a mapping of ${known.join(', ')}`);
    reading.walk.leave(node);
    return undefined;
  }
  const keys = new Map<string, YamlNode>();
  for (const pair of reading.walk.pairs(content)) {
    const key = parseText(reading, pair.key, 'a key');
    if (key === undefined) continue;
    if (!known.includes(key)) reportUnknown(reading, pair.key, key, known);
    else if (keys.has(key)) report(reading, pair.key, 'duplicate-key', `'${key}' is written a second time`);
    else keys.set(key, pair.value);
  }
  const taken = take(keys);
  reading.walk.leave(node);
  return taken;
}

function reportUnknown(reading: Reading, node: YamlNode, key: string, known: readonly string[]): void {
  const near = nearestWord(key, known);
  const hint = near === undefined ? `; known here: ${known.join(', ')}` : `, did you mean '${near}'?`;
  report(reading, node, 'unknown-key', `unknown key '${shorten(key)}'${hint}`);
}

/** The items of a list; none where it is missing. Anything else is reported. */
export function readList<T>(
  reading: Reading,
  node: YamlNode | undefined,
  what: string,
  take: (item: YamlNode) => T | undefined,
): readonly T[] {
  const content = node === undefined ? undefined : reading.walk.enter(node);
  if (node === undefined || content === undefined) return [];
  const items = content.kind === 'sequence' ? content.items.map(take) : [];
  if (content.kind !== 'sequence') report(reading, node, 'wrong-type', `${what} must be a list`);
  reading.walk.leave(node);
  return items.filter((item) => item !== undefined);
}

/** A regular expression of JavaScript; undefined where it is missing, or faulty, which is reported. */
export function readPattern(reading: Reading, node: YamlNode | undefined, name: string): RegExp | undefined {
  if (node === undefined) return undefined;
  const source = parseText(reading, node, name);
  if (source === undefined) return undefined;
  try {
    return new RegExp(source);
  } catch (error) {
    report(reading, node, 'bad-pattern', `'${name}' is no regular expression: ${(error as Error).message}`);
    return undefined;
  }
}

/** Everything that is wrong with a mapping is an error: a request that is made otherwise than meant shows false figures. */
export function report(reading: Reading, node: YamlNode, code: string, message: string): void {
  reading.report('error', code, node, message);
}
