import type { CST } from 'yaml';
import { addItem, addPair, type Parts, type Task } from './yaml-composition.ts';
import type { ReportProblem, YamlNode, YamlPair } from './yaml-node.ts';
import { isBare, type NodeProperties, readProperties } from './yaml-properties.ts';

/** The pairs of a mapping that is written by indentation. */
export function composeBlockMap(map: CST.BlockMap, report: ReportProblem): Parts<YamlPair> {
  const parts: YamlPair[] = [];
  const tasks: Task[] = [];
  for (const item of map.items as readonly CST.CollectionItem[]) {
    const { start, key, sep, value } = item;
    const context = { inFlow: false, parentIndent: map.indent };
    const keyProperties = readProperties(
      start,
      { ...context, indicator: 'explicit-key-ind', next: key ?? sep?.[0], offset: map.offset },
      report,
    );
    if (!key && !sep && !value && isBare(keyProperties)) continue;
    const valueProperties = readProperties(
      sep ?? [],
      { ...context, indicator: 'map-value-ind', next: value, offset: keyProperties.end },
      report,
    );
    checkKey(map, item, { keyProperties, valueProperties }, report);
    addPair(parts, tasks, { key, keyProperties, value, valueProperties });
  }
  return { parts, tasks };
}

/** A key without a question mark is on one line, in the column of the mapping, with a colon behind it. */
function checkKey(
  map: CST.BlockMap,
  { start, key, value }: CST.CollectionItem,
  properties: { readonly keyProperties: NodeProperties; readonly valueProperties: NodeProperties },
  report: ReportProblem,
): void {
  const { keyProperties, valueProperties } = properties;
  const at = key?.offset ?? start[0]?.offset ?? keyProperties.end;
  const column = 'the keys of a mapping begin in the same column';
  if (keyProperties.indicator !== undefined) {
    if (keyProperties.indicator.indent !== map.indent) report('yaml-syntax', at, column);
    if (value && valueProperties.indicator === undefined) {
      report('yaml-syntax', value.offset, "': ' is missing before this");
    }
    return;
  }
  if (key?.type === 'block-seq') {
    report('yaml-syntax', at, 'a list cannot be a key');
  } else if (key && 'indent' in key && key.indent !== map.indent) {
    report('yaml-syntax', at, column);
  } else if (valueProperties.indicator === undefined) {
    report('yaml-syntax', at, "a key must be followed by ': '");
  } else if (keyProperties.hasNewlineAfterProperty || isMultiline(key)) {
    report('yaml-syntax', at, 'a key must be on one line');
  } else if (value?.type === 'block-map' && !valueProperties.hasNewline) {
    const message = "': ' stands twice on this line; text with a colon and a space must be in quotes";
    report('yaml-syntax', value.offset, message);
  }
}

/** The elements of a list that is written by indentation. */
export function composeBlockSequence(sequence: CST.BlockSequence, report: ReportProblem): Parts<YamlNode> {
  const parts: YamlNode[] = [];
  const tasks: Task[] = [];
  const context = { inFlow: false, parentIndent: sequence.indent, offset: sequence.offset };
  for (const { start, value } of sequence.items) {
    const properties = readProperties(start, { ...context, indicator: 'seq-item-ind', next: value }, report);
    if (properties.indicator === undefined) {
      if (value === undefined && isBare(properties)) continue;
      const message = "an element of a list begins with '- ', all in the same column";
      report('yaml-syntax', value?.offset ?? properties.end, message);
    }
    addItem(parts, tasks, value, properties);
  }
  return { parts, tasks };
}

/** Whether a key goes over several lines. Collections as keys are refused later whatever their form. */
function isMultiline(key: CST.Token | null | undefined): boolean {
  if (!key) return false;
  if (key.type === 'block-map' || key.type === 'block-seq' || key.type === 'block-scalar') return true;
  if ('source' in key && key.source.includes('\n')) return true;
  return 'end' in key && (key.end ?? []).some((token) => token.type === 'newline');
}
