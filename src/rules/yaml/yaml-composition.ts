import type { CST } from 'yaml';
import type { ReportProblem, YamlContent, YamlNode, YamlPair } from './yaml-node.ts';
import type { NodeProperties } from './yaml-properties.ts';

/** A node that waits to be made, and the place for it. */
export interface Task {
  readonly token: CST.Token | null | undefined;
  readonly properties: NodeProperties;
  readonly place: (node: YamlNode) => void;
}

/** A document in the making. */
export interface Composition {
  readonly report: ReportProblem;
  /** A name may be given twice; an alias means the last anchor before it. */
  readonly anchors: Map<string, YamlContent>;
  /** The last is done first. */
  readonly tasks: Task[];
}

/** The parts of a collection: filled when the tasks are done. */
export interface Parts<T> {
  readonly parts: readonly T[];
  readonly tasks: readonly Task[];
}

const emptyNode: YamlNode = Object.freeze({
  kind: 'scalar',
  offset: 0,
  text: '',
  isPlain: true,
  tag: undefined,
});

export interface PairTokens {
  readonly key: CST.Token | null | undefined;
  readonly keyProperties: NodeProperties;
  readonly value: CST.Token | null | undefined;
  readonly valueProperties: NodeProperties;
}

export function addPair(pairs: YamlPair[], tasks: Task[], tokens: PairTokens): void {
  const pair: { key: YamlNode; value: YamlNode } = { key: emptyNode, value: emptyNode };
  pairs.push(pair);
  const placeKey = (node: YamlNode) => {
    pair.key = node;
  };
  const placeValue = (node: YamlNode) => {
    pair.value = node;
  };
  tasks.push({ token: tokens.key, properties: tokens.keyProperties, place: placeKey });
  tasks.push({ token: tokens.value, properties: tokens.valueProperties, place: placeValue });
}

export function addItem(
  items: YamlNode[],
  tasks: Task[],
  token: CST.Token | null | undefined,
  properties: NodeProperties,
): void {
  const index = items.length;
  items.push(emptyNode);
  const place = (node: YamlNode) => {
    items[index] = node;
  };
  tasks.push({ token, properties, place });
}
