import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import type { HeldBack, Snapshot } from './config-source.ts';

/** Adds the earlier documents of files that have an error now. An error about a folder is about each file in it. */
export function withBrokenFiles(
  documents: readonly RulesDocument[],
  issues: readonly ConfigIssue[],
  earlier: readonly RulesDocument[],
): readonly RulesDocument[] {
  const broken = new Set(issues.filter(isError).map((issue) => issue.file));
  if (broken.size === 0) return documents;
  const delivered = new Set(documents.map((document) => document.file));
  const kept = earlier.filter(
    ({ file }) => !delivered.has(file) && pathsTo(file).some((path) => broken.has(path)),
  );
  return [...documents, ...kept];
}

/**
 * Leaves out the refused domains, and puts back what was last good of them and of their files. A domain's documents are
 * all new or all earlier, so that what is put back compiles as it did then.
 */
export function withoutRefused(
  documents: readonly RulesDocument[],
  refused: ReadonlySet<string>,
  earlier: readonly RulesDocument[],
): readonly RulesDocument[] {
  const accepted = documents.filter(({ domain }) => !refused.has(domain));
  const renewed = new Set(accepted.map(({ domain }) => domain));
  const files = new Set(documents.filter(({ domain }) => refused.has(domain)).map(({ file }) => file));
  const kept = earlier.filter(
    ({ domain, file }) => !renewed.has(domain) && (refused.has(domain) || files.has(file)),
  );
  return [...accepted, ...kept];
}

/**
 * Tells what of a snapshot is not in force as it came. An error's place does not say it: of two files with one domain, it names
 * the second, and neither counts.
 * @param inForce what is in force since then
 */
export function heldBackOf(
  { documents, issues }: Snapshot,
  inForce: readonly RulesDocument[],
): HeldBack | undefined {
  const delivered = new Set(documents);
  const counting = new Set<string>();
  const earlier = new Set<string>();
  for (const one of inForce) (delivered.has(one) ? counting : earlier).add(one.file);
  const files = [...documents, ...issues.filter(isError)].map(({ file }) => file);
  const refused = new Set(files.filter((file) => !counting.has(file)));
  return refused.size === 0 && earlier.size === 0 ? undefined : { refused, earlier };
}

export function isError(issue: ConfigIssue): boolean {
  return issue.severity === 'error';
}

/** The file and each folder above it. */
function pathsTo(file: string): string[] {
  const paths = [file];
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
    paths.push(file.slice(0, end));
  }
  return paths;
}
