import type { Position } from '../rules-document.ts';
import type { YamlNode, YamlProblem } from '../yaml/yaml-node.ts';
import { createYamlWalk } from '../yaml/yaml-walk.ts';
import { createIssueList } from './issue-list.ts';
import { parseDocument } from './parse-document.ts';
import type { ParseResult } from './parse-result.ts';
import type { Reading } from './reading.ts';

/** Rules that did not come as text, as the tree that YAML would make of them. */
export interface RulesTree {
  /** Its nodes' offsets are indices of `positions`. undefined: too broken to say anything about what it means. */
  readonly root: YamlNode | undefined;
  readonly positions: readonly Position[];
  /** What was wrong when it was read. */
  readonly problems: readonly YamlProblem[];
}

/**
 * Reads rules that are a tree already. The same checks, words and codes as those of a file, so that no rule means one thing
 * here and another there.
 * @param file how issues name it
 */
export function parseTree(file: string, { root, positions, problems }: RulesTree): ParseResult {
  const positionAt = (index: number) => positions[index] as Position;
  const list = createIssueList(file, { positionAt });
  for (const { code, offset, message } of problems) list.report('error', code, offset, message);
  const reading: Reading = {
    walk: createYamlWalk((code, offset, message) => list.report('error', code, offset, message)),
    report: (severity, code, node, message) => list.report(severity, code, node.offset, message),
    positionOf: (node) => positionAt(node.offset),
  };
  const document = root === undefined ? undefined : parseDocument(reading, file, root);
  return { document: list.hasErrors ? undefined : document, issues: list.issues() };
}
