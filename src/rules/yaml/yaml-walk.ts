import type { YamlContent, YamlMapping, YamlNode, YamlPair } from './yaml-node.ts';
import { maxNesting } from './yaml-reader.ts';
import { isMergeKey } from './yaml-scalar.ts';

/** Steps behind aliases and merge keys. The reference stops at about as many; 10,000 rules that share a limit need 40,000. */
export const maxAliasSteps = 400_000;

/**
 * Goes through a tree with aliases. Every `enter` that gives a node needs a `leave`. Once the work is used up, `enter`
 * gives nothing any more, so that whoever walks comes to an end.
 */
export interface YamlWalk {
  /** The node behind any alias; undefined when it must not be entered, which has been reported. */
  enter(node: YamlNode): YamlContent | undefined;
  leave(node: YamlNode): void;
  /** The pairs of a mapping that has been entered, those of merge keys in their places. */
  pairs(mapping: YamlMapping): readonly MergedPair[];
}

export interface MergedPair extends YamlPair {
  /** It came through a merge key. */
  readonly isMerged: boolean;
}

export type ReportWalk = (code: string, offset: number, message: string) => void;

export function createYamlWalk(report: ReportWalk): YamlWalk {
  /** Nodes between the root and here that an alias could name. */
  const open = new Set<YamlContent>();
  let depth = 0;
  let aliasDepth = 0;
  let aliasSteps = 0;
  let isUsedUp = false;
  let isTooDeep = false;

  function enter(node: YamlNode): YamlContent | undefined {
    const content = node.kind === 'alias' ? node.target : node;
    if (content === undefined || isUsedUp) return undefined;
    if (node.kind === 'alias' || aliasDepth > 0) aliasSteps += 1;
    if (aliasSteps > maxAliasSteps) {
      isUsedUp = true;
      report('too-many-aliases', node.offset, `aliases stand for more than ${maxAliasSteps} nodes`);
      return undefined;
    }
    if (content.kind === 'scalar') return content;
    if (open.has(content)) {
      report('alias-in-itself', node.offset, 'an alias stands inside what it names');
      return undefined;
    }
    if (depth >= maxNesting) {
      if (!isTooDeep)
        report('nesting', node.offset, `more than ${maxNesting} levels of nesting, through aliases`);
      isTooDeep = true;
      return undefined;
    }
    depth += 1;
    if (node.kind === 'alias') aliasDepth += 1;
    if (content.isAnchored) open.add(content);
    return content;
  }

  function leave(node: YamlNode): void {
    const content = node.kind === 'alias' ? node.target : node;
    if (content === undefined || content.kind === 'scalar') return;
    depth -= 1;
    if (node.kind === 'alias') aliasDepth -= 1;
    open.delete(content);
  }

  function pairs(mapping: YamlMapping): readonly MergedPair[] {
    const found: MergedPair[] = [];
    for (const { key, value } of mapping.pairs) {
      if (key.kind === 'scalar' && isMergeKey(key)) merge(value, found);
      else found.push({ key, value, isMerged: false });
    }
    return found;
  }

  /** One mapping, or a list of mappings of which the first counts most. */
  function merge(node: YamlNode, found: MergedPair[]): void {
    const content = enter(node);
    if (content === undefined) return;
    if (content.kind === 'mapping') {
      for (const pair of pairs(content)) {
        if (++aliasSteps > maxAliasSteps) break;
        // As an alias, so that what is behind a merge key is counted wherever it is used.
        found.push({ key: linkTo(pair.key), value: linkTo(pair.value), isMerged: true });
      }
    } else if (content.kind === 'sequence' && node.kind !== 'alias') {
      for (const item of content.items.toReversed()) mergeItem(item, found);
    } else {
      report('merge-value', node.offset, "the merge key '<<' takes a mapping or a list of mappings");
    }
    leave(node);
  }

  function mergeItem(item: YamlNode, found: MergedPair[]): void {
    const target = item.kind === 'alias' ? item.target : item;
    if (target === undefined) return;
    if (target.kind === 'mapping') merge(item, found);
    else report('merge-value', item.offset, "the merge key '<<' takes a mapping or a list of mappings");
  }

  return { enter, leave, pairs };
}

function linkTo(node: YamlNode): YamlNode {
  return node.kind === 'alias' ? node : { kind: 'alias', offset: node.offset, target: node };
}
