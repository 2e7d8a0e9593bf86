import { readYaml } from '../yaml/yaml-reader.ts';
import { decodeYaml } from '../yaml/yaml-text.ts';
import { createYamlWalk } from '../yaml/yaml-walk.ts';
import { createIssueList } from './issue-list.ts';
import { createLineIndex } from './line-index.ts';
import { parseDocument } from './parse-document.ts';
import type { ParseResult } from './parse-result.ts';
import type { Reading } from './reading.ts';

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
