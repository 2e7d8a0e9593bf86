import { CST } from 'yaml';
import { shorten } from '../parse/shorten.ts';
import { composeBlockMap, composeBlockSequence } from './yaml-compose-block.ts';
import { composeFlowMap, composeFlowSequence } from './yaml-compose-flow.ts';
import type { Composition, Parts, Task } from './yaml-composition.ts';
import type { ReportProblem, YamlContent, YamlNode, YamlScalar } from './yaml-node.ts';
import { checkEnd, type NodeProperties, readProperties, reportUnexpected } from './yaml-properties.ts';

/**
 * Makes nodes of a document's tokens. The library's own composer goes down by recursion, and a file of some hundred
 * levels overflows the stack or ends the process; this one keeps a list of what is still to do. Nodes are made in the
 * order of the text, so that an alias finds the anchors before it.
 */
export function composeDocument(document: CST.Document, report: ReportProblem): YamlNode {
  const composition: Composition = { report, anchors: new Map(), tasks: [] };
  const { start, value, end, offset } = document;
  const properties = readProperties(
    start,
    { indicator: 'doc-start', next: value, inFlow: false, parentIndent: 0, offset },
    report,
  );
  const isBlock = value?.type === 'block-map' || value?.type === 'block-seq';
  if (isBlock && properties.indicator !== undefined && !properties.hasNewline) {
    report('yaml-syntax', value.offset, "a block cannot begin on the line of '---'");
  }
  checkEnd(end, report);
  const root = composeNode(value, properties, composition);
  for (let task = composition.tasks.pop(); task !== undefined; task = composition.tasks.pop()) {
    task.place(composeNode(task.token, task.properties, composition));
  }
  return root;
}

function composeNode(
  token: CST.Token | null | undefined,
  properties: NodeProperties,
  composition: Composition,
): YamlNode {
  if (token?.type === 'alias') return composeAlias(token, properties, composition);
  const node = composeContent(token, properties, composition);
  if (properties.anchor !== undefined) composition.anchors.set(properties.anchor, node);
  return node;
}

function composeAlias(
  token: CST.FlowScalar,
  properties: NodeProperties,
  { report, anchors }: Composition,
): YamlNode {
  const name = token.source.slice(1);
  const target = anchors.get(name);
  if (target === undefined) {
    const message = `no anchor '&${shorten(name)}' stands before this alias; text that begins with a star must be in quotes`;
    report('unknown-alias', token.offset, message);
  }
  if (properties.anchor !== undefined || properties.tag !== undefined) {
    report('yaml-syntax', token.offset, 'an alias has neither a tag nor an anchor');
  }
  checkEnd(token.end, report);
  return { kind: 'alias', offset: token.offset, target };
}

function composeContent(
  token: CST.Token | null | undefined,
  properties: NodeProperties,
  { report, tasks }: Composition,
): YamlContent {
  const offset = token?.offset ?? properties.end;
  const isAnchored = properties.anchor !== undefined;
  switch (token?.type) {
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
    case 'block-scalar':
      return composeScalar(token, properties, report);
    case 'block-map':
      return { kind: 'mapping', offset, isAnchored, pairs: schedule(composeBlockMap(token, report), tasks) };
    case 'block-seq':
      return {
        kind: 'sequence',
        offset,
        isAnchored,
        items: schedule(composeBlockSequence(token, report), tasks),
      };
    case 'flow-collection':
      if (token.start.source === '{') {
        return { kind: 'mapping', offset, isAnchored, pairs: schedule(composeFlowMap(token, report), tasks) };
      }
      return {
        kind: 'sequence',
        offset,
        isAnchored,
        items: schedule(composeFlowSequence(token, report), tasks),
      };
    default:
      if (token) reportToken(token, report);
      return { kind: 'scalar', offset, text: '', isPlain: true, tag: properties.tag };
  }
}

/** The last task is done first. */
function schedule<T>({ parts, tasks }: Parts<T>, waiting: Task[]): readonly T[] {
  for (const task of tasks.toReversed()) waiting.push(task);
  return parts;
}

function composeScalar(
  token: CST.FlowScalar | CST.BlockScalar,
  properties: NodeProperties,
  report: ReportProblem,
): YamlScalar {
  const resolved = CST.resolveAsScalar(token, false, (offset, _code, message) =>
    report('yaml-syntax', offset, lowerFirst(message)),
  );
  // Escapes can name halves of a surrogate pair, which no UTF-8 text can hold.
  if (!resolved.value.isWellFormed()) {
    report('yaml-syntax', token.offset, 'an escape in this text stands for half a character');
  }
  return {
    kind: 'scalar',
    offset: token.offset,
    text: resolved.value,
    isPlain: token.type === 'scalar',
    tag: properties.tag,
  };
}

function reportToken(token: CST.Token, report: ReportProblem): void {
  if (token.type === 'error') report('yaml-syntax', token.offset, lowerFirst(token.message));
  else reportUnexpected(token as CST.SourceToken, report);
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
