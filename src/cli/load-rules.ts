import { readRulesDirectory } from '../config/read-directory.ts';
import { type CompileResult, compileRules } from '../rules/compile.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';

export interface LoadedRules {
  readonly documents: readonly RulesDocument[];
  readonly ruleSet: CompileResult['ruleSet'];
  /** From reading, parsing and compiling. */
  readonly issues: readonly ConfigIssue[];
}

/** Reads and compiles rules as the server does, once, without the swap. */
export async function loadRules(
  path: string,
  options: { readonly ignoreDotFiles: boolean; readonly mergeDomains: boolean },
): Promise<LoadedRules> {
  const { documents, issues, version } = await readRulesDirectory(path, options);
  const compiled = compileRules(documents, { mergeDomains: options.mergeDomains, keyPrefix: '', version });
  return { documents, ruleSet: compiled.ruleSet, issues: [...issues, ...compiled.issues] };
}

/** An issue on one line, as compilers print them: editors turn it into a link. */
export function printIssue({ file, line, column, severity, code, message }: ConfigIssue): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`;
  return `${place}: ${severity}: ${message} [${code}]`;
}
