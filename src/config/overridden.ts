import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';

/** The documents of a source, in the order in which sources count: the last that has a domain has it alone. */
export interface SourceDocuments {
  readonly source: string;
  readonly documents: readonly RulesDocument[];
}

export interface CountingDocuments {
  readonly documents: readonly RulesDocument[];
  /** One for each document that does not count. */
  readonly issues: readonly ConfigIssue[];
}

/** Puts sources together. A domain is never made of two: its rules would be spread over places that nobody looks at together. */
export function documentsThatCount(sources: readonly SourceDocuments[]): CountingDocuments {
  const lastOf = new Map<string, SourceDocuments>();
  for (const one of sources) for (const { domain } of one.documents) lastOf.set(domain, one);
  const documents: RulesDocument[] = [];
  const issues: ConfigIssue[] = [];
  for (const one of sources) {
    for (const document of one.documents) {
      const counting = lastOf.get(document.domain) as SourceDocuments;
      if (counting === one) documents.push(document);
      else issues.push(overridden(document, counting));
    }
  }
  return { documents, issues };
}

function overridden({ file, domain, at }: RulesDocument, { source }: SourceDocuments): ConfigIssue {
  const message = `domain '${domain}' is in ${source} too, which counts: CONFIG_TYPE names it later`;
  return { severity: 'lint', code: 'domain-overridden', file, ...at, message };
}
