import type { ConfigIssue, IssueSeverity } from '../issue.ts';
import type { LineIndex } from './line-index.ts';
import { onOneLine } from './shorten.ts';

/** More than anybody reads at once; a file with as many is broken in one way. */
export const maxIssues = 200;

/** Collects what a file's author should know, each once, though an alias may lead to a place a thousand times. */
export interface IssueList {
  report(severity: IssueSeverity, code: string, offset: number, message: string): void;
  /** In the order of the file. */
  issues(): readonly ConfigIssue[];
  readonly hasErrors: boolean;
}

export function createIssueList(file: string, lines: LineIndex): IssueList {
  const found = new Map<string, ConfigIssue>();
  let leftOut = 0;
  let hasErrors = false;
  return {
    get hasErrors() {
      return hasErrors;
    },
    report(severity, code, offset, message) {
      if (severity === 'error') hasErrors = true;
      const id = `${offset} ${code} ${message}`;
      if (found.has(id)) return;
      if (found.size >= maxIssues) leftOut += 1;
      else found.set(id, { severity, code, file, ...lines.positionAt(offset), message: onOneLine(message) });
    },
    issues() {
      const sorted = [...found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
      if (leftOut === 0) return sorted;
      const severity: IssueSeverity = hasErrors ? 'error' : 'ignored';
      const message = `there are more than ${maxIssues} problems; the others are left out`;
      return [...sorted, { severity, code: 'too-many-issues', file, line: 0, column: 0, message }];
    },
  };
}
