import type { ConfigIssue } from '../issue.ts';
import type { RulesDocument } from '../rules-document.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import { readYaml } from '../yaml/yaml-reader.ts';
import { decodeYaml } from '../yaml/yaml-text.ts';
import { createYamlWalk } from '../yaml/yaml-walk.ts';
import { createIssueList } from './issue-list.ts';
import { createLineIndex } from './line-index.ts';
import { parseDomainOptions } from './parse-domain-options.ts';
import { parseFields } from './parse-fields.ts';
import { parseDescriptors } from './parse-rule.ts';
import { parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';

export interface ParseResult {
  /** undefined exactly when an issue is an error. */
  readonly document: RulesDocument | undefined;
  /** Everything that was found, in the order of the file. */
  readonly issues: readonly ConfigIssue[];
}

/**
 * Reads one file of the rules language: YAML 1.1, the first document, strict keys. All faults are reported together;
 * only where the YAML itself is broken nothing is said about what it means. Never throws, whatever the bytes, and works
 * in time and memory that are linear in their number.
 * @param file how issues name it
 */
export function parseRules(file: string, content: Uint8Array): ParseResult {
  const decoded = decodeYaml(content);
  if (decoded.kind === 'fault') {
    const { code, line, column, message } = decoded;
    return { document: undefined, issues: [{ severity: 'error', code, file, line, column, message }] };
  }
  const lines = createLineIndex(decoded.text);
  const list = createIssueList(file, lines);
  const { root, problems, secondDocument } = readYaml(decoded.text);
  for (const { code, offset, message } of problems) list.report('error', code, offset, message);
  if (secondDocument !== undefined) {
    list.report('ignored', 'second-document', secondDocument, 'only the first document of a file is read');
  }
  const reading: Reading = {
    walk: createYamlWalk((code, offset, message) => list.report('error', code, offset, message)),
    report: (severity, code, node, message) => list.report(severity, code, node.offset, message),
    positionOf: (node) => lines.positionAt(node.offset),
  };
  if (root === undefined && problems.length === 0) {
    list.report('error', 'empty-domain', 0, "the file is empty; a file of rules needs a 'domain'");
  }
  const document = root === undefined ? undefined : parseDocument(reading, file, root);
  return { document: list.hasErrors ? undefined : document, issues: list.issues() };
}

function parseDocument(reading: Reading, file: string, root: YamlNode): RulesDocument | undefined {
  const content = reading.walk.enter(root);
  if (content === undefined) return undefined;
  if (content.kind !== 'mapping') {
    reading.report('error', 'wrong-type', root, "a file of rules is a mapping with a 'domain'");
    return undefined;
  }
  const fields = parseFields(reading, content, 'file');
  const node = fields.get('domain');
  const domain = parseText(reading, node, 'domain');
  if (domain === '' && !(node === undefined && fields.hasFaultyKeys)) {
    reading.report('error', 'empty-domain', node ?? root, "a file of rules needs a 'domain'");
  }
  const options = parseDomainOptions(reading, fields);
  const descriptors = parseDescriptors(reading, fields.get('descriptors'));
  reading.walk.leave(root);
  return { file, domain: domain ?? '', at: reading.positionOf(node ?? root), options, descriptors };
}
