import type { IssueSeverity } from '../issue.ts';
import type { Position } from '../rules-document.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import type { YamlWalk } from '../yaml/yaml-walk.ts';

/** What those who read the parts of one file share. */
export interface Reading {
  readonly walk: YamlWalk;
  report(severity: IssueSeverity, code: string, node: YamlNode, message: string): void;
  positionOf(node: YamlNode): Position;
}
