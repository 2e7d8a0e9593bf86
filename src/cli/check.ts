import { existsSync } from 'node:fs';
import type { ConfigIssue, IssueSeverity } from '../rules/issue.ts';
import { lintRules } from '../rules/lint/lint.ts';
import { lintSensitive } from '../rules/lint/lint-sensitive.ts';
import { readRulesSettings } from '../settings/read-group.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './exit-codes.ts';
import { type LoadedRules, loadRules, printIssue } from './load-rules.ts';
import { printSettingIssues } from './print-setting-issues.ts';

export interface CheckOptions {
  /** Refuse what the server accepts and ignores. */
  readonly strict: boolean;
  /** undefined: as MERGE_DOMAIN_CONFIG says. */
  readonly mergeDomains: boolean | undefined;
}

/** `weir check`: every issue of every file, and whether the server would take all of it. */
export async function check(
  path: string,
  options: CheckOptions,
  { env, output }: CommandContext,
): Promise<number> {
  const read = readRulesSettings(env);
  if ('errors' in read) return printSettingIssues(read, output);
  if (!existsSync(path)) {
    output.err(`weir check: there is no ${path}`);
    return exitCodes.broken;
  }
  const { settings } = read;
  const { sensitive } = settings;
  const mergeDomains = options.mergeDomains ?? settings.mergeDomains;
  const loaded = await loadRules(path, { ...settings, mergeDomains });
  const issues = [
    ...loaded.issues,
    ...lintRules(loaded.documents),
    ...(sensitive.key === undefined ? lintSensitive(loaded.documents, sensitive.everywhere) : []),
  ].sort(byPlace);
  for (const issue of issues) output.out(printIssue(issue));
  output.out(summarize(loaded, issues));
  const refused: IssueSeverity[] = options.strict ? ['error', 'ignored'] : ['error'];
  return issues.some(({ severity }) => refused.includes(severity)) ? exitCodes.no : exitCodes.ok;
}

function byPlace(a: ConfigIssue, b: ConfigIssue): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column;
}

function summarize({ ruleSet }: LoadedRules, issues: readonly ConfigIssue[]): string {
  const count = (severity: IssueSeverity) => issues.filter((issue) => issue.severity === severity).length;
  const domains = plural(ruleSet?.domains.size ?? 0, 'domain');
  const limits = plural(ruleSet?.rules.length ?? 0, 'limit');
  return (
    `${domains} with ${limits} usable; ` +
    `${count('error')} refused, ${count('ignored')} ignored, ${count('lint')} to look at`
  );
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
