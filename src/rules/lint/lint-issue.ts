import type { ConfigIssue } from '../issue.ts';
import type { Position, RuleDocument } from '../rules-document.ts';

/** A rule and the file that it is in. */
export interface PlacedRule {
  readonly rule: RuleDocument;
  readonly file: string;
}

export function lintIssue(code: string, file: string, at: Position, message: string): ConfigIssue {
  return { severity: 'lint', code, file, line: at.line, column: at.column, message };
}
