import type { CST } from 'yaml';
import { shorten } from '../parse/shorten.ts';
import type { ReportProblem } from './yaml-node.ts';

type SourceToken = CST.SourceToken;

/** Indicators that may stand before a node, by the token types of the lexer. */
export type Indicator = 'doc-start' | 'explicit-key-ind' | 'map-value-ind' | 'seq-item-ind';

/** What stands between the node before and this one. */
export interface NodeProperties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
  readonly indicator: SourceToken | undefined;
  readonly comma: SourceToken | undefined;
  readonly hasNewline: boolean;
  /** A line ends between a property and the node. */
  readonly hasNewlineAfterProperty: boolean;
  /** Where an empty node would be. */
  readonly end: number;
}

export interface PropertiesContext {
  readonly indicator: Indicator;
  /** The node that follows. */
  readonly next: CST.Token | null | undefined;
  readonly inFlow: boolean;
  /** Of the collection that holds the node; tabs must not stand for its indentation. */
  readonly parentIndent: number;
  /** Of the place, if there are no tokens. */
  readonly offset: number;
}

/** Reads the tokens before a node (YAML 1.1, 6.8 and 6.9): its indicator, its tag and anchor, white space and comments. */
export function readProperties(
  tokens: readonly SourceToken[],
  context: PropertiesContext,
  report: ReportProblem,
): NodeProperties {
  let anchor: SourceToken | undefined;
  let tag: SourceToken | undefined;
  let indicator: SourceToken | undefined;
  let comma: SourceToken | undefined;
  let hasNewline = false;
  let hasNewlineAfterProperty = false;
  for (const token of tokens) {
    if (token.type === 'newline') {
      hasNewline = true;
      if (anchor !== undefined || tag !== undefined) hasNewlineAfterProperty = true;
    } else if (token.type === 'anchor') {
      if (anchor !== undefined) report('yaml-syntax', token.offset, 'a node can have one anchor only');
      anchor = token;
    } else if (token.type === 'tag') {
      if (tag !== undefined) report('yaml-syntax', token.offset, 'a node can have one tag only');
      tag = token;
    } else if (token.type === context.indicator) {
      if (anchor !== undefined || tag !== undefined) {
        report('yaml-syntax', token.offset, `anchors and tags stand after '${token.source}', not before it`);
      }
      if (indicator !== undefined) reportUnexpected(token, report);
      indicator = token;
    } else if (token.type === 'comma' && context.inFlow) {
      if (comma !== undefined) reportUnexpected(token, report);
      comma = token;
    } else if (token.type !== 'space' && token.type !== 'comment') {
      reportUnexpected(token, report);
    }
  }
  if (!context.inFlow) checkTabs(tokens, context, report);
  const last = tokens[tokens.length - 1];
  return {
    anchor: anchor?.source.slice(1),
    tag: tag?.source,
    indicator,
    comma,
    hasNewline,
    hasNewlineAfterProperty,
    end: last === undefined ? context.offset : last.offset + last.source.length,
  };
}

/** Nothing but white space and comments may follow a node before the next indicator. */
export function checkEnd(tokens: readonly SourceToken[] | undefined, report: ReportProblem): void {
  for (const token of tokens ?? []) {
    if (token.type === 'space' || token.type === 'newline' || token.type === 'comment') continue;
    reportUnexpected(token, report);
  }
}

export function reportUnexpected(token: SourceToken, report: ReportProblem): void {
  report('yaml-syntax', token.offset, `unexpected '${shorten(token.source)}'`);
}

/** Indentation is made of spaces (YAML 1.1, 4.2): a tab may not begin a line that holds a node. */
function checkTabs(tokens: readonly SourceToken[], context: PropertiesContext, report: ReportProblem): void {
  let atLineStart = context.indicator !== 'map-value-ind';
  let tab: SourceToken | undefined;
  for (const token of tokens) {
    if (tab !== undefined && atLineStart && token.type !== 'comment' && token.type !== 'newline') {
      report('yaml-syntax', tab.offset, 'a tab cannot indent; use spaces');
    }
    tab = token.type === 'space' && token.source.includes('\t') ? token : undefined;
    if (token.type === 'newline' || token.type === 'seq-item-ind' || token.type === 'explicit-key-ind') {
      atLineStart = true;
    } else if (token.type !== 'space') {
      atLineStart = false;
    }
  }
  const next = context.next?.type;
  if (tab === undefined || next === undefined) return;
  const isBlock = next === 'block-map' || next === 'block-seq';
  const isFlowAtTop = context.indicator === 'doc-start' && next === 'flow-collection';
  if (isBlock || (atLineStart && !isFlowAtTop && tab.indent <= context.parentIndent)) {
    report('yaml-syntax', tab.offset, 'a tab cannot indent; use spaces');
  }
}

/** Whether nothing stands there but white space and comments. */
export function isBare(properties: NodeProperties): boolean {
  return (
    properties.anchor === undefined && properties.tag === undefined && properties.indicator === undefined
  );
}
