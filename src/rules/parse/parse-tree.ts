import type { Position } from '../rules-document.ts';
import type { YamlNode, YamlProblem } from '../yaml/yaml-node.ts';
import { createYamlWalk } from '../yaml/yaml-walk.ts';
import { createIssueList } from './issue-list.ts';
import { parseDocument } from './parse-document.ts';
import type { ParseResult } from './parse-result.ts';
import type { Reading } from './reading.ts';

/** Rules that did not come as text, as the tree that YAML would make of them. It may be read while it is gone through. */
export interface RulesTree {
  /** Its nodes' offsets are indices of `positions`. */
  readonly root: YamlNode;
  readonly positions: readonly Position[];
  /** What was wrong with what was read so far. */
  readonly problems: readonly YamlProblem[];
}

/** With one of these nothing is said about what the rest means. */
const brokenCodes: readonly string[] = ['malformed-resource', 'nesting'];

/**
 * Reads rules that are a tree already. The same checks, words and codes as those of a file, so that no rule means one thing
 * here and another there.
 * @param file how issues name it
 */
export function parseTree(file: string, { root, positions, problems }: RulesTree): ParseResult {
  const positionAt = (index: number) => positions[index] as Position;
  const list = createIssueList(file, { positionAt });
  const found: Parameters<typeof list.report>[] = [];
  const reading: Reading = {
    walk: createYamlWalk((code, offset, message) => found.push(['error', code, offset, message])),
    report: (severity, code, node, message) => found.push([severity, code, node.offset, message]),
    positionOf: (node) => positionAt(node.offset),
  };
  const document = parseDocument(reading, file, root);
  for (const { code, offset, message } of problems) list.report('error', code, offset, message);
  if (!problems.some(({ code }) => brokenCodes.includes(code))) for (const one of found) list.report(...one);
  return { document: list.hasErrors ? undefined : document, issues: list.issues() };
}
