import type { ConfigIssue } from '../../rules/issue.ts';
import { createIssueList } from '../../rules/parse/issue-list.ts';
import { createLineIndex } from '../../rules/parse/line-index.ts';
import { parseBoolean, parseText } from '../../rules/parse/parse-values.ts';
import type { Reading } from '../../rules/parse/reading.ts';
import type { YamlNode } from '../../rules/yaml/yaml-node.ts';
import { readYaml } from '../../rules/yaml/yaml-reader.ts';
import { decodeYaml } from '../../rules/yaml/yaml-text.ts';
import { createYamlWalk } from '../../rules/yaml/yaml-walk.ts';
import type { MappedDescriptor, MappedEntry, Mapping, ValueSource } from './mapping.ts';
import { type MappingKeys, readList, readMapping, readPattern, report } from './mapping-reading.ts';
import { readConditions, readFieldSource, readSource, sourceKeys } from './value-source.ts';

export interface MappingResult {
  /** undefined when there is an issue. */
  readonly mapping: Mapping | undefined;
  readonly issues: readonly ConfigIssue[];
}

/**
 * Reads a mapping file: YAML, as rules are read. All faults are reported together, with their places.
 * @param file how issues name it
 */
export function parseMapping(file: string, content: Uint8Array): MappingResult {
  const decoded = decodeYaml(content);
  if (decoded.kind === 'fault') {
    const { code, line, column, message } = decoded;
    return { mapping: undefined, issues: [{ severity: 'error', code, file, line, column, message }] };
  }
  const lines = createLineIndex(decoded.text);
  const list = createIssueList(file, lines);
  const { root, problems } = readYaml(decoded.text);
  for (const { code, offset, message } of problems) list.report('error', code, offset, message);
  if (root === undefined && problems.length === 0) {
    list.report(
      'error',
      'empty-mapping',
      0,
      "the file is empty; a mapping needs 'time', 'domain' and 'descriptors'",
    );
  }
  const reading: Reading = {
    walk: createYamlWalk((code, offset, message) => list.report('error', code, offset, message)),
    report: (severity, code, node, message) => list.report(severity, code, node.offset, message),
    positionOf: (node) => lines.positionAt(node.offset),
  };
  const mapping = root === undefined ? undefined : readRoot(reading, root);
  return { mapping: list.hasErrors ? undefined : mapping, issues: list.issues() };
}

const rootKeys = ['pattern', 'when', 'time', 'domain', 'hits', 'descriptors'];

function readRoot(reading: Reading, root: YamlNode): Mapping | undefined {
  return readMapping(reading, root, { what: 'a mapping file', known: rootKeys }, (keys) => {
    for (const needed of ['time', 'domain', 'descriptors']) {
      if (!keys.has(needed)) report(reading, root, 'missing-key', `'${needed}' is missing`);
    }
    const pattern = readPattern(reading, keys.get('pattern'), 'pattern');
    const names = pattern === undefined ? undefined : groupNames(pattern);
    if (names?.length === 0) {
      report(reading, keys.get('pattern') ?? root, 'bad-pattern', "'pattern' names no group: (?<name>...)");
    }
    const time = readSource(reading, keys.get('time'), 'time', names);
    if (time?.kind === 'fixed')
      report(reading, keys.get('time') ?? root, 'wrong-type', "'time' needs a field");
    const domain = readSource(reading, keys.get('domain'), 'domain', names);
    const hits = readSource(reading, keys.get('hits'), 'hits', names);
    const when = readConditions(reading, keys.get('when'), names);
    const descriptors = readList(reading, keys.get('descriptors'), "'descriptors'", (item) =>
      readDescriptor(reading, item, names),
    );
    return time && domain && { pattern, when, time, domain, hits, descriptors };
  });
}

/** The groups that a pattern names: where lines are text, they are all the fields that there are. */
function groupNames(pattern: RegExp): readonly string[] {
  return Object.keys(new RegExp(`${pattern.source}|`).exec('')?.groups ?? {});
}

type Names = readonly string[] | undefined;

function readDescriptor(reading: Reading, node: YamlNode, names: Names): MappedDescriptor | undefined {
  const shape = { what: 'a descriptor', known: ['when', 'entries'] };
  return readMapping(reading, node, shape, (keys) => {
    const when = readConditions(reading, keys.get('when'), names);
    const entries = readList(reading, keys.get('entries'), "'entries'", (item) =>
      readEntry(reading, item, names),
    );
    if (!keys.has('entries')) report(reading, node, 'missing-key', "'entries' is missing");
    return { when, entries };
  });
}

function readEntry(reading: Reading, node: YamlNode, names: Names): MappedEntry | undefined {
  const shape = { what: 'an entry', known: ['key', 'value', ...sourceKeys, 'optional'] };
  return readMapping(reading, node, shape, (keys) => {
    const key = parseText(reading, keys.get('key'), 'key');
    if (key === '') report(reading, node, 'missing-key', "'key' is missing");
    const source = entrySource(reading, node, keys, names);
    const isOptional = parseBoolean(reading, keys.get('optional'), 'optional');
    return key === undefined || source === undefined || isOptional === undefined
      ? undefined
      : { key, source, isOptional };
  });
}

function entrySource(
  reading: Reading,
  node: YamlNode,
  keys: MappingKeys,
  names: Names,
): ValueSource | undefined {
  const value = keys.get('value');
  if (value === undefined) return readFieldSource(reading, node, keys, names);
  const other = [...sourceKeys, 'optional'].find((key) => keys.has(key));
  if (other !== undefined)
    report(reading, node, 'value-and-field', `an entry has 'value' or '${other}', not both`);
  const text = parseText(reading, value, 'value');
  return text === undefined ? undefined : { kind: 'fixed', value: text };
}
