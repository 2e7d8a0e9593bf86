import { nearestWord } from '../nearest-word.ts';
import type { YamlMapping, YamlNode } from '../yaml/yaml-node.ts';
import { resolveScalar } from '../yaml/yaml-scalar.ts';
import type { MergedPair } from '../yaml/yaml-walk.ts';
import type { Reading } from './reading.ts';
import { allKeys, keysOf, ownKeys, ownPlaces, type Place, placeNames, placesOf } from './rules-language.ts';
import { shorten } from './shorten.ts';

/** The fields of a mapping that belong where it stands. */
export interface Fields {
  get(key: string): YamlNode | undefined;
  /** A key was refused. What seems to be missing may then be there under a wrong name, and is not reported again. */
  readonly hasFaultyKeys: boolean;
}

/** Several limits on one descriptor. */
export const severalLimitsHint =
  "for several limits write a list under 'rate_limits', such as [4/second, 20/day]";

/** Keys that people try, and what to write instead. */
const otherKeys: ReadonlyMap<string, string> = new Map([
  ['limit', "write 'rate_limit'"],
  ['requests', "write 'requests_per_unit'"],
]);

/** Takes a mapping's fields. Of a key that is there twice the last one counts, as in the reference. */
export function parseFields(reading: Reading, mapping: YamlMapping, place: Place): Fields {
  const fields = new Map<string, MergedPair>();
  let hasFaultyKeys = false;
  for (const pair of reading.walk.pairs(mapping)) {
    const key = keyText(reading, pair.key);
    if (key === undefined || !keysOf[place].includes(key)) {
      if (key !== undefined) reportForeignKey(reading, key, pair, place);
      hasFaultyKeys ||= key === undefined || placesOf(key).length === 0;
      continue;
    }
    const before = fields.get(key);
    if (before !== undefined) reportOverwritten(reading, key, before, pair);
    fields.set(key, pair);
  }
  return { get: (key) => fields.get(key)?.value, hasFaultyKeys };
}

function keyText(reading: Reading, node: YamlNode): string | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  const value = content.kind === 'scalar' ? resolveScalar(content) : undefined;
  reading.walk.leave(node);
  if (value?.kind === 'text') return value.value;
  const written = content.kind === 'scalar' ? ` '${shorten(content.text)}'` : '';
  reading.report('error', 'key-not-text', node, `the key${written} is not text`);
  return undefined;
}

function reportForeignKey(reading: Reading, key: string, pair: MergedPair, place: Place): void {
  const places = placesOf(key);
  if (places.length === 0) {
    reportUnknownKey(reading, key, pair.key, place);
    return;
  }
  const where = places.map((each) => placeNames[each]).join(' or ');
  if (ownKeys.has(key) || ownPlaces.has(place)) {
    reading.report('error', 'misplaced-key', pair.key, `'${key}' belongs ${where}, not ${placeNames[place]}`);
    return;
  }
  reading.report(
    'ignored',
    'misplaced-key',
    pair.key,
    `'${key}' has no effect ${placeNames[place]}; it belongs ${where}`,
  );
  if (key !== 'metadata') checkIgnored(reading, pair.value);
}

function reportUnknownKey(reading: Reading, key: string, node: YamlNode, place: Place): void {
  const spelt = key.trim().replaceAll(/[- ]/g, '_');
  const near = nearestWord(spelt, keysOf[place]) ?? nearestWord(spelt, allKeys);
  const other = otherKeys.get(key);
  const hint =
    other !== undefined
      ? `; ${other}`
      : near !== undefined
        ? `, did you mean '${near}'?`
        : `; known ${placeNames[place]}: ${keysOf[place].join(', ')}`;
  reading.report('error', 'unknown-key', node, `unknown key '${shorten(key)}'${hint}`);
}

function reportOverwritten(reading: Reading, key: string, before: MergedPair, after: MergedPair): void {
  if (before.isMerged) return;
  if (after.isMerged) {
    const message = `'${key}' is overwritten by the merge key after it; put '<<' first`;
    reading.report('ignored', 'overwritten-by-merge', before.key, message);
  } else {
    const { line } = reading.positionOf(after.key);
    reading.report(
      'ignored',
      'duplicate-key',
      before.key,
      `'${key}' is written again on line ${line}, which counts`,
    );
  }
}

/**
 * The reference checks the keys and kinds of values also where it then ignores them, so what it refuses is an error.
 */
function checkIgnored(reading: Reading, node: YamlNode): void {
  const content = reading.walk.enter(node);
  if (content === undefined) return;
  if (content.kind === 'mapping') checkIgnoredMapping(reading, content);
  else if (content.kind === 'sequence') {
    for (const item of content.items) checkIgnoredItem(reading, item);
  } else if (!isPlainKind(resolveScalar(content))) {
    reading.report('error', 'wrong-type', node, `'${shorten(content.text)}' must be in quotes`);
  }
  reading.walk.leave(node);
}

function checkIgnoredMapping(reading: Reading, mapping: YamlMapping): void {
  for (const pair of reading.walk.pairs(mapping)) {
    const key = keyText(reading, pair.key);
    if (key === undefined) continue;
    if (!allKeys.includes(key)) reportUnknownKey(reading, key, pair.key, 'rule');
    else if (key !== 'metadata') checkIgnored(reading, pair.value);
  }
}

function checkIgnoredItem(reading: Reading, item: YamlNode): void {
  const target = item.kind === 'alias' ? item.target : item;
  if (target?.kind === 'mapping') checkIgnored(reading, item);
  else reading.report('error', 'wrong-type', item, 'a list holds mappings here');
}

/** Kinds of scalar that the reference lets stand anywhere. */
function isPlainKind(value: ReturnType<typeof resolveScalar>): boolean {
  if (value.kind === 'integer') return !value.isHuge;
  return value.kind !== 'float' && value.kind !== 'fault';
}
