import type { ConfigIssue } from '../issue.ts';
import type { RulesDocument } from '../rules-document.ts';

export interface ParseResult {
  /** undefined exactly when an issue is an error. */
  readonly document: RulesDocument | undefined;
  /** Everything that was found, in the order of the file or of the resource. */
  readonly issues: readonly ConfigIssue[];
}
