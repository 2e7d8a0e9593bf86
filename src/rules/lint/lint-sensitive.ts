import type { ConfigIssue } from '../issue.ts';
import type { RulesDocument } from '../rules-document.ts';
import { findSensitive, withoutKey } from '../sensitive.ts';

/** Domains that a server needs a secret for. For checks that have none, and should not. */
export function lintSensitive(
  documents: readonly RulesDocument[],
  everywhere: boolean,
): readonly ConfigIssue[] {
  const domains = [...Map.groupBy(documents, ({ domain }) => domain).values()];
  return domains
    .flatMap((sharing) => findSensitive(sharing, everywhere) ?? [])
    .map((place) => withoutKey('lint', place));
}
