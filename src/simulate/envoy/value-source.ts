import { nearestWord } from '../../rules/nearest-word.ts';
import { parseText } from '../../rules/parse/parse-values.ts';
import type { Reading } from '../../rules/parse/reading.ts';
import { shorten } from '../../rules/parse/shorten.ts';
import type { YamlNode } from '../../rules/yaml/yaml-node.ts';
import type { Condition, Field, ValueSource } from './mapping.ts';
import { type MappingKeys, readList, readMapping, readPattern, report } from './mapping-reading.ts';

/**
 * Where a text comes from: a text stands for itself, a mapping names a field. undefined where it is missing, or faulty,
 * which is reported.
 * @param names the fields that there are; undefined: those of JSON, which are not known
 */
export function readSource(
  reading: Reading,
  node: YamlNode | undefined,
  what: string,
  names: readonly string[] | undefined,
): ValueSource | undefined {
  if (node === undefined) return undefined;
  const content = node.kind === 'alias' ? node.target : node;
  if (content?.kind === 'scalar') {
    const value = parseText(reading, node, what);
    return value === undefined ? undefined : { kind: 'fixed', value };
  }
  return readMapping(reading, node, { what: `'${what}'`, known: sourceKeys }, (keys) =>
    readFieldSource(reading, node, keys, names),
  );
}

/** The keys of a source that is a field. */
export const sourceKeys = ['field', 'match', 'default'];

/** The same of keys that have been read. */
export function readFieldSource(
  reading: Reading,
  node: YamlNode,
  keys: MappingKeys,
  names: readonly string[] | undefined,
): ValueSource | undefined {
  const field = readField(reading, node, keys, names);
  const match = readPattern(reading, keys.get('match'), 'match');
  const otherwise = keys.has('default') ? parseText(reading, keys.get('default'), 'default') : undefined;
  return field && { kind: 'field', field, match, otherwise };
}

/** Conditions that must all hold: `when`. */
export function readConditions(
  reading: Reading,
  node: YamlNode | undefined,
  names: readonly string[] | undefined,
): readonly Condition[] {
  return readList(reading, node, "'when'", (item) =>
    readMapping(reading, item, { what: 'a condition', known: ['field', 'match'] }, (keys) => {
      const field = readField(reading, item, keys, names);
      const match = readPattern(reading, keys.get('match'), 'match');
      if (!keys.has('match')) report(reading, item, 'missing-key', "'match' is missing");
      return field && match && { field, match };
    }),
  );
}

function readField(
  reading: Reading,
  node: YamlNode,
  keys: MappingKeys,
  names: readonly string[] | undefined,
): Field | undefined {
  const name = parseText(reading, keys.get('field'), 'field');
  if (name === undefined) return undefined;
  if (name === '') {
    report(reading, node, 'missing-key', "'field' is missing");
    return undefined;
  }
  if (names !== undefined && !names.includes(name)) {
    const near = nearestWord(name, names);
    const hint = near === undefined ? `; it has ${names.join(', ')}` : `, did you mean '${near}'?`;
    report(
      reading,
      keys.get('field') ?? node,
      'unknown-field',
      `the pattern has no group '${shorten(name)}'${hint}`,
    );
  }
  return { name, path: name.split('.') };
}
