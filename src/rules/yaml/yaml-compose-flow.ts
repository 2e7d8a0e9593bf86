import type { CST } from 'yaml';
import { addItem, addPair, type Parts, type Task } from './yaml-composition.ts';
import type { ReportProblem, YamlNode, YamlPair } from './yaml-node.ts';
import { checkEnd, isBare, type NodeProperties, readProperties } from './yaml-properties.ts';

/** What stands between two commas. */
interface FlowItem {
  readonly key: CST.Token | null | undefined;
  readonly value: CST.Token | null | undefined;
  /** What stands between key and value; undefined where there is neither a colon nor a place for one. */
  readonly sep: readonly CST.SourceToken[] | undefined;
  readonly properties: NodeProperties;
}

/** The pairs of a mapping in braces. `{a}` is the key a without a value. */
export function composeFlowMap(collection: CST.FlowCollection, report: ReportProblem): Parts<YamlPair> {
  const parts: YamlPair[] = [];
  const tasks: Task[] = [];
  for (const item of flowItems(collection, report)) {
    const { key, value, properties } = item;
    const valueProperties = readValueProperties(item, report);
    addPair(parts, tasks, { key, keyProperties: properties, value, valueProperties });
  }
  checkClosed(collection, report);
  return { parts, tasks };
}

/** The elements of a list in brackets. `[a: b]` is a list with a mapping of one pair. */
export function composeFlowSequence(collection: CST.FlowCollection, report: ReportProblem): Parts<YamlNode> {
  const parts: YamlNode[] = [];
  const tasks: Task[] = [];
  for (const item of flowItems(collection, report)) {
    const { key, sep, value, properties } = item;
    if (sep === undefined && properties.indicator === undefined) {
      addItem(parts, tasks, value, properties);
      continue;
    }
    const pairs: YamlPair[] = [];
    const valueProperties = readValueProperties(item, report);
    addPair(pairs, tasks, { key, keyProperties: properties, value, valueProperties });
    parts.push({ kind: 'mapping', offset: key?.offset ?? properties.end, pairs, isAnchored: false });
  }
  checkClosed(collection, report);
  return { parts, tasks };
}

function flowItems(collection: CST.FlowCollection, report: ReportProblem): readonly FlowItem[] {
  const items: FlowItem[] = [];
  for (const [index, { start, key, sep, value }] of collection.items.entries()) {
    const properties = readProperties(
      start,
      {
        indicator: 'explicit-key-ind',
        next: key ?? sep?.[0] ?? value,
        inFlow: true,
        parentIndent: collection.indent,
        offset: collection.offset + 1,
      },
      report,
    );
    const isEmpty = !key && !sep && !value && isBare(properties);
    const isLast = index === collection.items.length - 1;
    if (isEmpty ? !isLast || (index === 0 && properties.comma) : index === 0 && properties.comma) {
      report('yaml-syntax', properties.comma?.offset ?? properties.end, "nothing stands before ','");
    } else if (!isEmpty && index > 0 && properties.comma === undefined) {
      report('yaml-syntax', properties.end, "',' is missing between two elements");
    }
    checkNoBlock(key, report);
    checkNoBlock(value, report);
    if (!isEmpty) items.push({ key, value, sep, properties });
  }
  return items;
}

function readValueProperties({ sep, value, properties }: FlowItem, report: ReportProblem): NodeProperties {
  const valueProperties = readProperties(
    sep ?? [],
    { indicator: 'map-value-ind', next: value, inFlow: true, parentIndent: 0, offset: properties.end },
    report,
  );
  if (value && valueProperties.indicator === undefined) {
    report('yaml-syntax', value.offset, "',' or ': ' is missing before this");
  }
  return valueProperties;
}

function checkNoBlock(token: CST.Token | null | undefined, report: ReportProblem): void {
  if (token?.type !== 'block-map' && token?.type !== 'block-seq') return;
  report('yaml-syntax', token.offset, 'a block cannot stand in brackets');
}

function checkClosed(collection: CST.FlowCollection, report: ReportProblem): void {
  const open = collection.start.source;
  const close = open === '{' ? '}' : ']';
  const [end, ...rest] = collection.end;
  if (end?.source === close) {
    checkEnd(rest, report);
    return;
  }
  const hint = 'lines in brackets must be indented more than the line that opens them';
  report('yaml-syntax', collection.offset, `'${open}' is not closed by '${close}'; ${hint}`);
}
